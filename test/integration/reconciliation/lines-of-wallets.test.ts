import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpBank } from '../../../src/adapters/http-bank/http-bank.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import {
  findCandidates,
  listUnreconciledPayments,
} from '../../../src/db/reconciliation/statement-match-store.ts';
import type { WalletTransferOrder } from '../../../src/domain/payments/transfer-order.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import {
  addWallet,
  createScriptedChain,
  ENCODERS,
  fundAsset,
  NETWORKS,
  toWallet,
} from '../../support/wallet-payments.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  const settings = testSettings({ networks: NETWORKS });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  await fundAsset(harness, 'USDC', 1_000_000_000n);
});
afterAll(() => harness.close());

const referenceOf = async (id: string) => {
  const [row] = await harness.rows<{ reference: string }>(
    'SELECT reference FROM settlement_attempts WHERE payment_id = $1',
    [id],
  );
  return row?.reference ?? '';
};

it("a line of a bank's statement with the reference of a payment to a wallet names nothing", async () => {
  const wallet = await addWallet(harness);
  const { id } = (await harness.pay(toWallet(harness, wallet.id))).json<{ id: string }>();
  const account = await harness.accept();
  const references = [await referenceOf(id), await referenceOf(account)];
  const found = await harness.database.db.system((tx) => findCandidates(tx, 'test', references));
  expect(found.map(({ paymentId }) => paymentId)).toEqual([account]);
});

it('no statement is waited for where a network paid', async () => {
  const about = { environment: 'test', currency: 'USDC', after: '', limit: 10 } as const;
  const cut = new Date('2100-01-01T00:00:00.000Z');
  await harness.rows(
    "SET session_replication_role = 'replica'; UPDATE payments SET status = 'COMPLETED'",
  );
  const missing = await harness.database.db.system((tx) =>
    listUnreconciledPayments(tx, { ...about, cut }),
  );
  expect(missing).toEqual([]);
});

it('a bank that pays over every rail pays over no network, and writes no such order', () => {
  const bank = createHttpBank({ baseUrl: 'http://127.0.0.1:9', name: 'http-bank' });
  const chain = createScriptedChain();
  const [first, second] = [bank, chain].map((payout) => {
    return { environment: 'test', payout, statements: null } as const;
  });
  if (first === undefined || second === undefined) throw new Error('two connectors');
  const alone = createConnectorRegistry([first]);
  expect([alone.payout('test', 'SEPA'), alone.payout('test', 'BASE')]).toEqual([bank, null]);
  const both = createConnectorRegistry([first, second]);
  expect(['SEPA', 'BASE', 'POLYGON'].map((rail) => both.payout('test', rail)?.name)).toEqual([
    ...['http-bank', 'scripted-chain', undefined],
  ]);
  expect(both.payout('live', 'BASE')).toBeNull();
  const order: WalletTransferOrder = {
    ...{ reference: 'CW1', amount: '1.000000', asset: 'USDC' },
    network: 'BASE',
    address: '0x0000000000000000000000000000000000000001',
  };
  expect(() => bank.encode(order)).toThrow(RangeError);
});
