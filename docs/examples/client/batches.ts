import { setTimeout as pause } from 'node:timers/promises';
import { Causeway } from 'causeway/client';

const causeway = new Causeway({
  apiKey: process.env['CAUSEWAY_API_KEY'] ?? '',
  baseUrl: process.env['CAUSEWAY_URL'] ?? 'http://127.0.0.1:8080',
});

const run = process.env['INVOICE'] ?? 'salaries-2026-11';
const salary = {
  endUserId: process.env['END_USER'] ?? '',
  bankAccountId: process.env['BANK_ACCOUNT'] ?? '',
  currency: 'EUR',
};

// Each payment has a key of its own: a file that is sent twice pays once.
let batch = await causeway.paymentBatches.create(
  {
    items: [
      { ...salary, amount: '10.00', idempotencyKey: `${run}-1` },
      { ...salary, amount: '20.00', idempotencyKey: `${run}-2` },
      { ...salary, amount: '0.001', idempotencyKey: `${run}-3` },
    ],
  },
  { idempotencyKey: run },
);
while (batch.status === 'PROCESSING') {
  await pause(500);
  batch = await causeway.paymentBatches.get(batch.id);
}

// Every item, page after page.
for await (const item of causeway.paymentBatches.listItems(batch.id)) {
  console.log(`${item.idempotencyKey}: ${item.paymentId ?? item.error?.error ?? item.state}`);
}
