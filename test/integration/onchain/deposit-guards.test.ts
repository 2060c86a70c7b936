import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ScopedTransaction } from '../../../src/db/client/database.ts';
import { moveDeposit, type DepositRow } from '../../../src/db/onchain/deposit-store.ts';
import { DEPOSIT_MOVES, DEPOSIT_STATUSES } from '../../../src/domain/onchain/deposits/deposit.ts';
import { creditDeposit, type BookStep } from '../../../src/domain/onchain/deposits/funding-book.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  addWaitingPayment,
  AT,
  DUE,
  hex,
  SENDER,
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

describe('of deposits the database refuses', () => {
  const refused = { code: '23514' };
  const asApp = (sql: string, values: readonly unknown[]) =>
    waiting.write((tx) => tx.query(sql, [...values]));

  it('a deposit to an address that is not the payment’s', async () => {
    await expect(waiting.see({ to: hex(20) })).rejects.toMatchObject(refused);
  });

  it('a deposit that is credited without the books, or the books without it', async () => {
    const { id, round } = await waiting.see();
    const applied = { appliedTo: 'PAYMENT', reason: null, toPayment: 1n } as const;
    const bare = waiting.write((tx) =>
      moveDeposit(tx, waiting.scope, { id, status: 'CREDITED', applied, round }, AT),
    );
    await expect(bare).rejects.toMatchObject(refused);
    const booked = asApp(
      `WITH moved AS (INSERT INTO ledger_transactions
         (id, customer_id, environment, kind, deposit_id, deposit_round, created_at)
         VALUES ('ltx_bare', $1, 'test', 'DEPOSIT', $2, 1, now()) RETURNING id, seq, kind)
       INSERT INTO ledger_entries
         (transaction_id, line, seq, kind, customer_id, environment, account, currency, amount)
       SELECT id, line, seq, kind, $1, 'test', account, 'USDC', amount
       FROM moved CROSS JOIN (VALUES (1, 'nostro:BASE', -5), (2, 'fees', 5)) AS v (line, account, amount)`,
      [waiting.scope.customerId, id],
    );
    await expect(booked).rejects.toThrow('the books do not show');
  });

  it('more for a payment than is due, or a payment that waits for nothing', async () => {
    const deposit = await waiting.see({ amount: DUE });
    const without = (status: BookStep['status'], toPayment: bigint) =>
      waiting.take((book) => {
        const step = creditDeposit(book, deposit.id);
        if (step === null) throw new Error('it is credited');
        const applied = { appliedTo: 'PAYMENT', reason: null, toPayment } as const;
        return { ...step, status, changed: step.changed.map((one) => ({ ...one, applied })) };
      });
    await expect(without('AWAITED', DUE)).rejects.toMatchObject(refused);
    await expect(without('CLOSED', DUE)).rejects.toMatchObject(refused);
  });

  it('a move that is not legal, and any other amount, address or block', async () => {
    const deposit = await waiting.see();
    await waiting.credit(deposit);
    const move = (status: DepositRow['status']) =>
      waiting.write((tx) =>
        moveDeposit(tx, waiting.scope, { ...deposit, applied: null, status }, AT),
      );
    await expect(move('SEEN')).rejects.toMatchObject(refused);
    await expect(
      asApp(`UPDATE deposits SET block_number = 8, version = version + 1 WHERE id = $1`, [
        deposit.id,
      ]),
    ).rejects.toMatchObject(refused);
    for (const change of ['amount = 1', `to_address = '${SENDER}'`, `asset = 'USDT'`]) {
      await expect(
        asApp(`UPDATE deposits SET ${change} WHERE id = $1`, [deposit.id]),
      ).rejects.toMatchObject({ code: '42501' });
      const owner = superuser.query(
        `UPDATE deposits SET ${change}, version = version + 1 WHERE id = $1`,
        [deposit.id],
      );
      await expect(owner).rejects.toMatchObject(refused);
    }
    await expect(
      superuser.query('DELETE FROM deposit_history WHERE deposit_id = $1', [deposit.id]),
    ).rejects.toMatchObject({ code: '23001' });
  });

  it('every move that is not in the table of moves, and takes every one that is', async () => {
    const { id } = await waiting.see();
    const set = (status: DepositRow['status'], more: string) => {
      const places = {
        ...{ SEEN: null, ORPHANED: null, CREDITED: 'BALANCE', FINAL: 'BALANCE' },
        ...{ BLOCKED: 'SUSPENSE', KEPT: 'SUSPENSE' },
      };
      const place = places[status];
      const sql = `UPDATE deposits SET status = $2, applied_to = $3 ${more} WHERE id = $1`;
      return superuser.query(sql, [id, status, place]);
    };
    for (const from of DEPOSIT_STATUSES)
      for (const to of DEPOSIT_STATUSES.filter((status) => status !== from)) {
        await superuser.query('BEGIN; SET LOCAL session_replication_role = replica');
        await set(from, '');
        await superuser.query('SET LOCAL session_replication_role = origin');
        const move = set(to, ', version = version + 1');
        if (DEPOSIT_MOVES[from].includes(to)) await move;
        else await expect(move, `${from} > ${to}`).rejects.toMatchObject(refused);
        await superuser.query('ROLLBACK');
      }
  });

  it('another sum, time or address for a payment that waits', async () => {
    for (const change of ['amount_due = 1', `expires_at = now()`, `address = '${SENDER}'`]) {
      const owner = superuser.query(`UPDATE payment_fundings SET ${change} WHERE payment_id = $1`, [
        waiting.paymentId,
      ]);
      await expect(owner).rejects.toMatchObject(refused);
    }
  });

  it('the same movement of a deposit twice in a round', async () => {
    const deposit = await waiting.see();
    await waiting.credit(deposit);
    const again = asApp(
      `INSERT INTO ledger_transactions
         (id, customer_id, environment, kind, deposit_id, deposit_round, created_at)
       VALUES ('ltx_again', $1, 'test', 'DEPOSIT', $2, 1, now())`,
      [waiting.scope.customerId, deposit.id],
    );
    await expect(again).rejects.toMatchObject({ code: '23505' });
  });

  it('to show deposits of other scopes', async () => {
    await waiting.see();
    const live = { ...waiting.scope, environment: 'live' } as const;
    expect(await database.db.read(live, (tx) => idsOf(tx))).toEqual([]);
    expect(await database.db.read(waiting.scope, (tx) => idsOf(tx))).toHaveLength(1);
  });
  const idsOf = (tx: ScopedTransaction) => tx.query('SELECT id FROM deposits');
});
