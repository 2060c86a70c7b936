import { setTimeout as pause } from 'node:timers/promises';
import { Causeway } from 'causeway/client';

const causeway = new Causeway({
  apiKey: process.env['CAUSEWAY_API_KEY'] ?? '',
  baseUrl: process.env['CAUSEWAY_URL'] ?? 'http://127.0.0.1:8080',
});

// A payment in EUR to a bank account, which a deposit of USDC pays for.
let payment = await causeway.payments.create({
  endUserId: process.env['END_USER'] ?? '',
  bankAccountId: process.env['BANK_ACCOUNT'] ?? '',
  amount: '40.00',
  currency: 'EUR',
  funding: { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' },
});
const { address, amountDue } = payment.funding;
if (address === null || amountDue === null) throw new Error('it is not paid for by a deposit');

// Shown to those who pay; in the sandbox this sends the tokens for them.
await causeway.sandbox.createTokenDeposit({
  address,
  network: 'BASE',
  asset: 'USDC',
  amount: amountDue,
});

while (payment.status === 'PROCESSING' || payment.status === 'SENT') {
  await pause(500);
  payment = await causeway.payments.get(payment.id);
}
for await (const deposit of causeway.deposits.list({ paymentId: payment.id })) {
  console.log(`${payment.status}, paid for by ${deposit.amount} ${deposit.asset}`);
}
