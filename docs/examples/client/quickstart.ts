import { setTimeout as pause } from 'node:timers/promises';
import { Causeway } from 'causeway/client';

const causeway = new Causeway({
  apiKey: process.env['CAUSEWAY_API_KEY'] ?? '',
  baseUrl: process.env['CAUSEWAY_URL'] ?? 'http://127.0.0.1:8080',
});

const endUser = await causeway.endUsers.create({
  type: 'INDIVIDUAL',
  individual: { firstName: 'Ada', lastName: 'Sample' },
  email: 'ada@example.com',
});

// In the sandbox the check is approved within two seconds; in live a webhook tells you.
await causeway.kyc.start(endUser.id);
while ((await causeway.kyc.get(endUser.id)).status !== 'APPROVED') await pause(500);

const account = await causeway.bankAccounts.create({
  endUserId: endUser.id,
  country: 'DE',
  currency: 'EUR',
  holderName: 'Ada Sample',
  holderType: 'INDIVIDUAL',
  details: { iban: 'DE89370400440532013000' },
});

let payment = await causeway.payments.create({
  endUserId: endUser.id,
  bankAccountId: account.id,
  amount: '125.50',
  currency: 'EUR',
  reference: 'Invoice 4711',
});

while (payment.status === 'PROCESSING' || payment.status === 'SENT') {
  await pause(500);
  payment = await causeway.payments.get(payment.id);
}
console.log(`${payment.id} ${payment.status} ${payment.amount}`);
