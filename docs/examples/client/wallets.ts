import { setTimeout as pause } from 'node:timers/promises';
import { Causeway } from 'causeway/client';

const causeway = new Causeway({
  apiKey: process.env['CAUSEWAY_API_KEY'] ?? '',
  baseUrl: process.env['CAUSEWAY_URL'] ?? 'http://127.0.0.1:8080',
});
const endUserId = process.env['END_USER'] ?? '';

const wallet = await causeway.wallets.create({
  endUserId,
  network: 'BASE',
  address: process.env['WALLET_ADDRESS'] ?? '',
  ownership: 'SELF_HOSTED',
});

// The balance in EUR pays what leaves in USDC.
let payment = await causeway.payments.create({
  endUserId,
  walletId: wallet.id,
  amount: '25.00',
  asset: 'USDC',
  sourceCurrency: 'EUR',
});
while (payment.status === 'PROCESSING' || payment.status === 'SENT') {
  await pause(500);
  payment = await causeway.payments.get(payment.id);
}
const hash = payment.references.find(({ type }) => type === 'TX_HASH')?.value;
console.log(`${payment.status} in ${hash ?? 'no transaction'}`);
