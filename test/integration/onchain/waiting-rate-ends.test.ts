import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { mintUsdc } from '../../support/onchain/usdc.ts';

let harness: SignerHarness;
let startOver: () => Promise<void>;
beforeAll(async () => {
  harness = await createSignerHarness();
  startOver = await harness.keepStart();
});
beforeEach(() => startOver());
afterAll(() => harness.close());

/** More than the hot address holds at first. */
const AMOUNT = 1_500_000_000n;
const HELD_MS = 60_000;

/** Past the triggers that keep rows as they are. */
async function asSuperuser(sql: string, values: readonly unknown[]): Promise<void> {
  const superuser = new pg.Client({ connectionString: harness.database.url });
  await superuser.connect();
  try {
    await superuser.query('SET session_replication_role = replica');
    await superuser.query(sql, [...values]);
  } finally {
    await superuser.end();
  }
}

/** As acceptance would store it of a quoted payment. */
function holdRate(paymentId: string): Promise<void> {
  const until = new Date(harness.clock.now().getTime() + HELD_MS);
  return asSuperuser('UPDATE payments SET rate_held_until = $2 WHERE id = $1', [paymentId, until]);
}

it('a transfer that was sent before and reverted is not ended by its rate', async () => {
  const { id, reference } = await harness.send(AMOUNT);
  await holdRate(id);
  await asSuperuser('UPDATE chain_transfers SET reverts = 1 WHERE reference = $1', [reference]);
  harness.clock.advance(HELD_MS);
  await harness.poll();
  const read = () => harness.rows('SELECT state FROM chain_transfers');
  expect(await read()).toEqual([{ state: 'WAITING' }]);
  await mintUsdc(harness.anvil, harness.usdc, harness.signerAccount, 2_000_000_000n);
  await harness.poll();
  expect(await read()).toEqual([{ state: 'CARRIED' }]);
});

it.each([
  ['is sent while the rate is held', HELD_MS - 1, 'CARRIED'],
  ['is rejected when its rate ends, though it could be sent', HELD_MS, 'REJECTED'],
])('a transfer that waited for tokens %s', async (_what, afterMs, state) => {
  const { id, reference, order } = await harness.send(AMOUNT);
  await holdRate(id);
  await harness.poll();
  await mintUsdc(harness.anvil, harness.usdc, harness.signerAccount, 2_000_000_000n);
  harness.clock.advance(afterMs);
  await harness.poll();
  const read = () => harness.rows('SELECT state FROM chain_transfers');
  expect(await read()).toEqual([{ state }]);
  if (state === 'CARRIED') return;
  await harness.poll();
  await harness.makeFinal();
  expect(await harness.balance(order.to)).toBe(0n);
  expect(await harness.rows('SELECT reference FROM chain_nonces')).toEqual([]);
  const { deps, customer } = harness;
  await withLockedPayment(deps, customer.scope, id, async () => undefined);
  expect(
    await harness.rows(
      `SELECT p.status, status_detail AS detail, funds_status AS funds, failure ->> 'code' AS code
       FROM payments p JOIN transfer_reports r ON r.payment_id = p.id
       WHERE r.reference = $1 AND r.status = 'REJECTED'`,
      [reference],
    ),
  ).toEqual([
    { status: 'FAILED', detail: 'QUOTE_EXPIRED', funds: 'BACK_IN_BALANCE', code: 'quote_expired' },
  ]);
});
