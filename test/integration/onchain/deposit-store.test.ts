import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { seeDepositAgain } from '../../../src/db/onchain/deposit-store.ts';
import { lockFunding } from '../../../src/db/payments/payment-funding-store.ts';
import { blockDeposit, closeFunding } from '../../../src/domain/onchain/deposits/funding-book.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  addWaitingPayment,
  AT,
  block,
  DUE,
  type WaitingPayment,
} from '../../support/deposit-harness.ts';

let database: TestDatabase;
let superuser: pg.Client;
let waiting: WaitingPayment;
beforeAll(async () => {
  database = await createTestDatabase();
  superuser = new pg.Client({ connectionString: database.url });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await database.close();
});
beforeEach(async () => {
  waiting = await addWaitingPayment(database.db);
});

async function balance(asset = 'USDC') {
  const { rows } = await superuser.query<Record<string, string>>(
    `SELECT available, reserved, pending, receivable FROM balances
     WHERE customer_id = $1 AND currency = $2`,
    [waiting.scope.customerId, asset],
  );
  return rows.map((row) => Object.values(row).map(Number))[0] ?? [0, 0, 0, 0];
}
const kinds = async () =>
  (
    await superuser.query<{ kind: string }>(
      `SELECT kind FROM ledger_transactions
       WHERE customer_id = $1 AND deposit_id IS NOT NULL ORDER BY seq`,
      [waiting.scope.customerId],
    )
  ).rows.map(({ kind }) => kind);
const history = async ({ id }: { id: string }) =>
  (
    await superuser.query<{ status: string }>(
      'SELECT status FROM deposit_history WHERE deposit_id = $1 ORDER BY version',
      [id],
    )
  ).rows.map(({ status }) => status);
/** Whether a connection to this database waits for a lock. */
const isAnyBlocked = async () =>
  (
    await superuser.query(
      `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE datname = current_database() AND NOT granted`,
    )
  ).rowCount !== 0;

describe('deposits of a payment, in the books', () => {
  it('wait until they are enough, and are held together; what is too much is available', async () => {
    const first = await waiting.see({ amount: 60_000_000n });
    await waiting.credit(first);
    expect(await balance()).toEqual([0, 0, 60_000_000, 0]);
    await waiting.credit(await waiting.see({ amount: 70_000_000n }));
    expect(await balance()).toEqual([30_000_000, 100_000_000, 0, 0]);
    expect(await kinds()).toEqual(['DEPOSIT', 'DEPOSIT', 'DEPOSIT_HOLD', 'DEPOSIT_HOLD']);
    const rows = await waiting.deposits();
    expect(rows.map(({ applied }) => applied)).toEqual([
      { appliedTo: 'PAYMENT', reason: null, toPayment: 60_000_000n },
      { appliedTo: 'PAYMENT', reason: 'SURPLUS', toPayment: 40_000_000n },
    ]);
  });

  it('are stored and credited once, however often and by which process they are seen', async () => {
    const once = waiting.facts();
    const [one, other] = await Promise.all([waiting.see(once), waiting.see(once)]);
    expect(other.id).toBe(one.id);
    const taken = await Promise.all([
      waiting.credit(one),
      waiting.credit(one),
      waiting.credit(one),
    ]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await balance()).toEqual([0, 100_000_000, 0, 0]);
  });

  it('make the payment wait again when one is orphaned, and complete it when it is mined again', async () => {
    const [stays, goes] = [
      await waiting.see({ amount: 60_000_000n }),
      await waiting.see({ amount: 40_000_000n }),
    ];
    for (const one of [stays, goes]) await waiting.credit(one);
    for (let turn = 0; turn < 2; turn += 1) {
      await waiting.orphan(goes);
      expect(await balance()).toEqual([0, 0, 60_000_000, 0]);
      const again = (at: Date) =>
        waiting.write((tx) => seeDepositAgain(tx, waiting.scope, goes.id, block(at), AT));
      expect((await again(AT))?.status).toBe('SEEN');
      expect(await again(AT)).toBeNull();
      await waiting.credit(goes);
      expect(await balance()).toEqual([0, 100_000_000, 0, 0]);
    }
    expect(await history(goes)).toEqual(
      'SEEN CREDITED ORPHANED SEEN CREDITED ORPHANED SEEN CREDITED'.split(' '),
    );
  });

  it('that are orphaned after the payout are owed, and repaid by what comes to available alone', async () => {
    const paid = await waiting.see();
    await waiting.credit(paid);
    await waiting.orphan(paid, true);
    expect(await balance()).toEqual([0, 100_000_000, 0, -100_000_000]);
    const wrong = await waiting.see({ asset: 'EURC', amount: 5n });
    await waiting.credit(wrong);
    expect([await balance(), await balance('EURC')]).toEqual([
      [0, 100_000_000, 0, -100_000_000],
      [5, 0, 0, 0],
    ]);
    await waiting.credit(await waiting.see({ amount: 130_000_000n }));
    expect(await balance()).toEqual([30_000_000, 100_000_000, 0, 0]);
  });

  it('are in the balance when the payment ends without them, and what comes after it too', async () => {
    await waiting.credit(await waiting.see({ amount: 60_000_000n }));
    await waiting.take(closeFunding);
    expect(await waiting.take(closeFunding)).toBe(false);
    await waiting.credit(await waiting.see({ amount: 1n }));
    expect(await balance()).toEqual([60_000_001, 0, 0, 0]);
    const rows = await waiting.deposits();
    expect(rows.map(({ applied }) => applied?.reason)).toEqual(['UNDERPAID', 'LATE']);
  });

  it('of a blocked sender are in suspense, and in no balance', async () => {
    const blocked = await waiting.see();
    await waiting.take((book) => blockDeposit(book, blocked.id));
    expect(await balance()).toEqual([0, 0, 0, 0]);
    expect(await waiting.credit(blocked)).toBe(false);
    await waiting.orphan(blocked);
    expect(await history(blocked)).toEqual(['SEEN', 'BLOCKED', 'ORPHANED']);
  });

  it('are not seen again beside a look at all of them that ends the payment', async () => {
    const deposit = await waiting.see();
    await waiting.orphan(deposit);
    const { again, came } = await waiting.write(async (tx) => {
      await lockFunding(tx, waiting.scope, waiting.paymentId);
      const mined = waiting.write((other) =>
        seeDepositAgain(other, waiting.scope, deposit.id, block(), AT),
      );
      let came = 'WAITS';
      void mined.then(() => (came = 'SEEN'));
      await expect
        .poll(async () => came === 'SEEN' || (await isAnyBlocked()), { timeout: 10_000 })
        .toBe(true);
      // Not the promise itself: nothing waits for it here.
      return { again: () => mined, came };
    });
    expect(came).toBe('WAITS');
    expect((await again())?.status).toBe('SEEN');
  });

  it('do another thing when they are mined again: then they are another deposit', async () => {
    const first = waiting.facts();
    await waiting.see(first);
    const other = { ...first, amount: DUE + 1n };
    await expect(waiting.see(other)).rejects.toMatchObject({ code: '23505' });
    const [row] = await waiting.deposits();
    await waiting.orphan({ id: row?.id ?? '' });
    expect((await waiting.see(other)).amount).toBe(DUE + 1n);
  });
});
