import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  PAYMENT_MOVES,
  PAYMENT_STATUSES,
  isLegalMove,
} from '../../../src/domain/payments/payment-states.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { seedPayingCustomer, type PayingCustomer } from '../../support/seed-payments.ts';

const AT = new Date('2026-09-29T12:00:00.000Z');

let harness: PaymentHarness;
let customer: PayingCustomer;
beforeAll(async () => {
  harness = await createPaymentHarness();
  customer = await seedPayingCustomer(harness.database.db);
});
afterAll(() => harness.close());

/** As the application's role, which no bug above the database can outrank. */
const asApp = (sql: string, values: readonly unknown[] = []) =>
  harness.database.db.write(customer.scope, (tx) => tx.query(sql, values));

describe('the application', () => {
  it('may hold a customer still and never change one', async () => {
    const held = await asApp('SELECT id FROM customers WHERE id = $1 FOR SHARE', [
      customer.scope.customerId,
    ]);
    expect(held).toHaveLength(1);
    await expect(asApp("UPDATE customers SET status = 'SUSPENDED'")).rejects.toThrow(
      /row-level security/,
    );
  });
});

/** Puts attempts of these phases beside a payment, as if the bank had said so. */
const addAttempts = async (paymentId: string, ...phases: readonly string[]) => {
  for (const [index, phase] of phases.entries()) {
    await asApp(
      `INSERT INTO settlement_attempts (reference, customer_id, environment, payment_id, number,
         rail, request, phase, sent_at, deadline_at, ask_base_at, created_at, updated_at)
       SELECT $4, customer_id, environment, id, $2::int, rail, '\\x00', $3,
         created_at, created_at, created_at, created_at, created_at
       FROM payments WHERE id = $1`,
      [paymentId, index + 1, phase, `CW${paymentId.slice(4).toUpperCase()}0${String(index + 1)}`],
    );
  }
};

describe('the database judges a payment again', () => {
  it('holds the same table of moves as the domain', async () => {
    const stored = await harness.rows<{ f: string; t: string }>(
      'SELECT from_status AS f, to_status AS t FROM payment_moves',
    );
    const text = (moves: readonly (readonly [string, string])[]) =>
      moves.map(([from, to]) => `${from} > ${to}`).sort();
    expect(text(stored.map(({ f, t }) => [f, t] as const))).toEqual(text(PAYMENT_MOVES));
  });

  it('refuses every move that is not in it, and takes every one that is', async () => {
    const { id } = await customer.pay({ fate: 'QUEUED', at: AT });
    await addAttempts(id, 'SETTLED', 'RETURNED');
    for (const from of PAYMENT_STATUSES) {
      for (const to of PAYMENT_STATUSES) {
        if (from === to) continue;
        // Put there without the trigger's consent, by a role that may.
        await harness.rows('ALTER TABLE payments DISABLE TRIGGER guard_payment_move');
        await harness.rows('UPDATE payments SET status = $2 WHERE id = $1', [id, from]);
        await harness.rows('ALTER TABLE payments ENABLE TRIGGER guard_payment_move');
        const move = asApp('UPDATE payments SET status = $2, version = version + 1 WHERE id = $1', [
          id,
          to,
        ]);
        if (isLegalMove(from, to)) await expect(move, `${from} > ${to}`).resolves.toEqual([]);
        else await expect(move, `${from} > ${to}`).rejects.toMatchObject({ code: '23514' });
      }
    }
  });

  it.each([
    ['a version that leaves one out', 'version = version + 2'],
    ['the same version again', "status_detail = 'QUEUED'"],
    ['another amount', 'version = version + 1, amount = amount + 1'],
    ['another currency', "version = version + 1, currency = 'USD'"],
    ['another key', "version = version + 1, idempotency_key = 'other'"],
  ])('refuses %s', async (_what, change) => {
    const { id } = await customer.pay({ fate: 'QUEUED', at: AT });
    await expect(asApp(`UPDATE payments SET ${change} WHERE id = $1`, [id])).rejects.toMatchObject({
      code: '23514',
    });
  });

  it.each(['CANCELED', 'EXPIRED', 'FAILED'])('refuses %s with an attempt open', async (status) => {
    for (const fate of ['NOT_SENT', 'UNKNOWN'] as const) {
      const { id } = await customer.pay({ fate, at: AT });
      const end = asApp('UPDATE payments SET status = $2, version = version + 1 WHERE id = $1', [
        ...[id, status],
      ]);
      await expect(end).rejects.toMatchObject({ code: '23514' });
    }
  });

  it.each([
    ['COMPLETED', ['REJECTED']],
    ['COMPLETED', []],
    ['RETURNED', ['SETTLED']],
  ])('refuses %s where the attempts are %j', async (status, phases) => {
    const { id } = await customer.pay({ fate: 'QUEUED', at: AT });
    await addAttempts(id, ...phases);
    const move = (to: string) =>
      asApp('UPDATE payments SET status = $2, version = version + 1 WHERE id = $1', [id, to]);
    if (status === 'RETURNED') await move('COMPLETED');
    await expect(move(status)).rejects.toMatchObject({ code: '23514' });
  });

  it('refuses a second open attempt, a deletion, and a history that is rewritten', async () => {
    const { id } = await customer.pay({ fate: 'UNKNOWN', at: AT });
    const second = asApp(
      `INSERT INTO settlement_attempts (reference, customer_id, environment, payment_id, number,
         rail, request, phase, sent_at, deadline_at, ask_base_at, created_at, updated_at)
       SELECT 'CWSECOND', customer_id, environment, payment_id, 2, rail, request, 'SENDING',
         sent_at, deadline_at, ask_base_at, created_at, updated_at
       FROM settlement_attempts WHERE payment_id = $1`,
      [id],
    );
    await expect(second).rejects.toMatchObject({ constraint: 'one_unended_attempt_a_payment' });
    for (const table of ['payments', 'payment_history', 'settlement_attempts', 'events']) {
      await expect(asApp(`DELETE FROM ${table}`), table).rejects.toMatchObject({ code: '42501' });
    }
    await expect(asApp("UPDATE payment_history SET actor = 'x'")).rejects.toThrow(
      /permission|append/,
    );
    // Not even the owner rewrites what happened.
    await expect(harness.rows("UPDATE payment_history SET actor = 'x'")).rejects.toThrow(
      'append-only',
    );
    await expect(harness.rows('DELETE FROM payment_history')).rejects.toThrow('append-only');
  });
});

describe('the ledger', () => {
  it('is append-only, for the application and for its owner', async () => {
    await customer.pay({ fate: 'COMPLETED', at: AT });
    for (const table of ['ledger_entries', 'ledger_transactions']) {
      for (const change of [`UPDATE ${table} SET environment = 'live'`, `DELETE FROM ${table}`]) {
        await expect(asApp(change), change).rejects.toThrow(/permission denied/);
        await expect(harness.rows(change), change).rejects.toThrow('append-only');
      }
    }
  });

  const transaction = (id: string) => `
    INSERT INTO ledger_transactions (id, customer_id, environment, kind, created_at)
    VALUES ('${id}', '${customer.scope.customerId}', 'test', 'FUND', now())`;
  const entries = (id: string, lines: readonly [account: string, amount: number][], first = 1) => `
    INSERT INTO ledger_entries
      (transaction_id, line, seq, kind, customer_id, environment, account, currency, amount)
    SELECT t.id, v.line, t.seq, t.kind, t.customer_id, t.environment, v.account, 'EUR', v.amount
    FROM ledger_transactions t CROSS JOIN (VALUES ${lines
      .map(([account, amount], nth) => `(${first + nth}, '${account}', ${amount})`)
      .join(', ')}) AS v (line, account, amount) WHERE t.id = '${id}'`;
  const EVEN = [
    ['suspense', -100],
    ['fees', 100],
  ] as const satisfies [string, number][];
  const refused = { code: '23514' };

  it.each([
    [
      'that do not sum to zero',
      [
        ['suspense', -100],
        ['fees', 99],
      ],
    ],
    ['of which one is alone in its statement', [['suspense', -100]]],
  ] as const)('refuses entries %s', async (_, lines) => {
    const writing = harness.database.db.write(customer.scope, async (tx) => {
      await tx.query(transaction('ltx_crooked'));
      await tx.query(
        entries(
          'ltx_crooked',
          lines.map(([account, amount]) => [account, amount]),
        ),
      );
    });
    await expect(writing).rejects.toMatchObject(refused);
    expect(
      await harness.rows("SELECT 1 FROM ledger_transactions WHERE id = 'ltx_crooked'"),
    ).toEqual([]);
  });

  it('refuses what is added later, of the application and of the owner', async () => {
    await harness.database.db.write(customer.scope, async (tx) => {
      await tx.query(transaction('ltx_even'));
      await tx.query(entries('ltx_even', EVEN));
      await tx.query(transaction('ltx_empty'));
    });
    const late = { constraint: 'entries_come_with_their_transaction' };
    for (const [id, first] of [
      ['ltx_even', 3],
      ['ltx_empty', 1],
    ] as const) {
      await expect(asApp(entries(id, EVEN, first)), id).rejects.toMatchObject(late);
      await expect(harness.rows(entries(id, EVEN, first)), id).rejects.toMatchObject(late);
    }
  });

  it.each([
    ['another number than its transaction has', 't.seq, t.kind', 't.seq + 1, t.kind'],
    ['no number', 't.seq, t.kind', 'NULL, t.kind'],
    ['no kind', 't.seq, t.kind', 't.seq, NULL'],
    ["another kind than its transaction's", 't.seq, t.kind', "t.seq, 'SETTLE'"],
  ])('refuses an entry with %s', async (_, place, other) => {
    const writing = harness.database.db.write(customer.scope, async (tx) => {
      await tx.query(transaction('ltx_placed'));
      await tx.query(entries('ltx_placed', EVEN).replace(place, other));
    });
    await expect(writing).rejects.toMatchObject({
      constraint: 'entries_come_with_their_transaction',
    });
  });

  it.each(['available', 'reserved'])('refuses %s below zero', async (account) => {
    await expect(asApp(`UPDATE balances SET ${account} = -1`)).rejects.toMatchObject({
      constraint: `${account}_is_never_negative`,
    });
  });

  it.each([
    ['COMPLETED', 'RELEASE'],
    ['FAILED', 'SETTLE'],
  ] as const)('what a %s payment had reserved is not moved by %s too', async (fate, kind) => {
    const { id } = await customer.pay({ fate, at: AT });
    const again = asApp(
      `INSERT INTO ledger_transactions (id, customer_id, environment, kind, payment_id, created_at)
       VALUES ('ltx_twice', $1, 'test', $2, $3, now())`,
      [customer.scope.customerId, kind, id],
    );
    await expect(again).rejects.toMatchObject({ constraint: 'a_hold_ends_once' });
  });

  it('refuses a second posting of one kind for one payment', async () => {
    const { id } = await customer.pay({ fate: 'COMPLETED', at: AT });
    await expect(
      asApp(
        `INSERT INTO ledger_transactions (id, customer_id, environment, kind, payment_id, created_at)
         VALUES ('ltx_again', $1, 'test', 'SETTLE', $2, now())`,
        [customer.scope.customerId, id],
      ),
    ).rejects.toMatchObject({ code: '23505' });
  });
});
