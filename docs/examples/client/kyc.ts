import { setTimeout as pause } from 'node:timers/promises';
import { Causeway } from 'causeway/client';

const causeway = new Causeway({
  apiKey: process.env['CAUSEWAY_API_KEY'] ?? '',
  baseUrl: process.env['CAUSEWAY_URL'] ?? 'http://127.0.0.1:8080',
});

const endUser = await causeway.endUsers.create({
  type: 'INDIVIDUAL',
  individual: { firstName: 'Ada', lastName: 'Sample' },
});

let check = await causeway.kyc.start(endUser.id, { redirectUrl: 'https://shop.example.com/done' });
console.log(check.link === null ? 'no link' : 'send the end-user to check.link.url');

// Webhooks tell the same: kyc.approved, kyc.rejected, kyc.resubmission_required.
while (check.status === 'PENDING' || check.status === 'IN_REVIEW') {
  await pause(500);
  check = await causeway.kyc.get(endUser.id);
}
console.log(check.status, check.reasons.map(({ code }) => code).join(' '));
