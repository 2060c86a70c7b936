import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertLedgerTransactions } from '../../../src/db/ledger/ledger-store.ts';
import { movementTransactions } from '../../../src/modules/ledger/ledger-transaction.ts';
import type { PayingCustomer } from '../../support/seed-payments.ts';
import {
  createFundingHarness,
  type FundingHarness,
} from '../../support/reconciliation/funding-harness.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';

const FUNDS = 1_000_000_000n;

let harness: FundingHarness;
let customer: PayingCustomer;
beforeAll(async () => {
  harness = await createFundingHarness();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

const reversalOf = (entry: EntryDraft, over: Partial<EntryDraft> = {}): EntryDraft => ({
  ...entry,
  direction: 'DBIT',
  reversal: true,
  ...over,
});

/** A new customer whom 10.00 EUR were credited, beside what it has. */
async function credited(): Promise<EntryDraft> {
  customer = await harness.addCustomer();
  const entry = harness.deposit({ remittance: await harness.reference(customer.scope) });
  await harness.reconcile({ entries: [entry] });
  return entry;
}

/** Spends all but so much, minor units. */
async function spendAllBut(minor: bigint): Promise<string> {
  const { available } = await harness.standing(customer.scope);
  const at = new Date('2026-09-29T11:00:00.000Z');
  return (await customer.pay({ fate: 'QUEUED', at, amount: available - minor })).id;
}

describe('a credit that the bank takes back', () => {
  it('leaves available again, once, however often a statement says so', async () => {
    const entry = await credited();
    const reversal = reversalOf(entry, { bankReference: 'REVERSAL-1' });
    const ref = await harness.reconcile({ entries: [reversal] });
    expect(await harness.outcomes(ref)).toEqual(['CREDIT_REVERSAL']);
    await harness.reconcile({ entries: [reversal] });
    expect(await harness.standing(customer.scope)).toEqual({ available: FUNDS, receivable: 0n });
    const events = await harness.events(customer.scope);
    expect(events.map(({ type, version }) => [type, version])).toEqual([
      ['balance.credited', 1],
      ['balance.credit_reversed', 2],
    ]);
    // Another one of the same amount finds no credit that is left.
    const again = await harness.reconcile({
      entries: [reversalOf(entry, { bankReference: 'REVERSAL-2' })],
    });
    expect(await harness.outcomes(again)).toEqual(['UNEXPECTED_AT_BANK']);
    expect((await harness.standing(customer.scope)).available).toBe(FUNDS);
  });

  it('on the statement that shows it, and under its own reference alone', async () => {
    customer = await harness.addCustomer();
    const entry = harness.deposit({ remittance: await harness.reference(customer.scope) });
    const ref = await harness.reconcile({
      entries: [entry, reversalOf(entry, { remittance: 'Recalled' })],
    });
    expect(await harness.outcomes(ref)).toEqual(['CREDIT', 'CREDIT_REVERSAL']);
    expect(await harness.standing(customer.scope)).toEqual({ available: FUNDS, receivable: 0n });
  });

  it('and gives again under the same reference is looked at; an overlap is not', async () => {
    const entry = await credited();
    const reversal = reversalOf(entry);
    await harness.reconcile({ entries: [reversal] });
    const overlap = await harness.reconcile({ entries: [entry, reversal] });
    expect(await harness.outcomes(overlap)).toEqual(['CREDIT', 'CREDIT_REVERSAL']);
    const again = await harness.reconcile({ entries: [entry] });
    expect(await harness.outcomes(again)).toEqual(['POSSIBLE_DUPLICATE']);
    expect(harness.alarms.at(-1)).toMatchObject({ exception: 'POSSIBLE_DUPLICATE' });
    expect(await harness.standing(customer.scope)).toEqual({ available: FUNDS, receivable: 0n });
  });

  it('and was spent is owed to us; later credits repay it first', async () => {
    const entry = await credited();
    await spendAllBut(300n);
    await harness.reconcile({ entries: [reversalOf(entry)] });
    expect(await harness.standing(customer.scope)).toEqual({ available: 0n, receivable: -700n });
    const remittance = await harness.reference(customer.scope);
    await harness.reconcile({ entries: [harness.deposit({ remittance, amount: '5.00' })] });
    expect(await harness.standing(customer.scope)).toEqual({ available: 0n, receivable: -200n });
    await harness.reconcile({ entries: [harness.deposit({ remittance, amount: '5.00' })] });
    expect(await harness.standing(customer.scope)).toEqual({ available: 300n, receivable: 0n });
    const [entries] = await harness.rows<{ lines: unknown }>(
      `SELECT json_agg(json_build_array(account, amount, balance_after) ORDER BY line) AS lines
       FROM ledger_entries WHERE transaction_id = (
         SELECT ledger_transaction_id FROM funding_credits WHERE customer_id = $1
         ORDER BY seq DESC LIMIT 1)`,
      [customer.scope.customerId],
    );
    expect(entries?.lines).toEqual([
      ['nostro:HTTP_BANK', -500, null],
      ['available', 500, 500],
      ['available', -200, 300],
      ['receivable', 200, 0],
    ]);
  });

  it('and is owed is repaid by a payment that gives its hold back, and cannot be spent', async () => {
    const entry = await credited();
    const at = new Date('2026-09-29T11:00:00.000Z');
    const { id: paymentId } = await customer.pay({ fate: 'QUEUED', at, amount: 500n });
    await spendAllBut(0n);
    await harness.reconcile({ entries: [reversalOf(entry)] });
    expect(await harness.standing(customer.scope)).toEqual({ available: 0n, receivable: -1_000n });
    await expect(customer.pay({ fate: 'QUEUED', at, amount: 1n })).rejects.toThrow();
    const eur = { currency: 'EUR', minor: 500n };
    const money = { rail: 'SEPA', source: eur, target: eur, fees: [] };
    const released = movementTransactions({ paymentId, money }, { kind: 'RELEASE' });
    await harness.db.write(customer.scope, (tx) =>
      insertLedgerTransactions(tx, customer.scope, released, at),
    );
    expect(await harness.standing(customer.scope)).toEqual({ available: 0n, receivable: -500n });
    await expect(customer.pay({ fate: 'QUEUED', at, amount: 1n })).rejects.toThrow();
  });

  it('twice at once from one balance is taken twice, and no cent more', async () => {
    customer = await harness.addCustomer();
    const remittance = await harness.reference(customer.scope);
    const entries = [harness.deposit({ remittance }), harness.deposit({ remittance })];
    await harness.reconcile({ entries });
    await spendAllBut(1_500n);
    const refs = [];
    for (const entry of entries) refs.push(await harness.list({ entries: [reversalOf(entry)] }));
    for (const ref of refs) await harness.activities.readStatement(ref);
    await Promise.allSettled(refs.map((ref) => harness.activities.reconcileStatement(ref)));
    for (const ref of refs) await harness.activities.reconcileStatement(ref);
    expect(await harness.standing(customer.scope)).toEqual({ available: 0n, receivable: -500n });
  });

  it("that was no customer's leaves suspense, and cannot be assigned any more", async () => {
    const entry = harness.deposit({ remittance: 'Rent' });
    const before = await harness.suspense();
    await harness.reconcile({ entries: [entry] });
    const id = (await harness.unmatched()).at(-1)?.id ?? '';
    expect(await harness.suspense()).toBe(before + 1_000n);
    const ref = await harness.reconcile({ entries: [reversalOf(entry)] });
    expect(await harness.outcomes(ref)).toEqual(['CREDIT_REVERSAL']);
    expect(await harness.suspense()).toBe(before);
    expect((await harness.credit(id))?.outcome).toBe('REVERSED');
    expect((await harness.unmatched()).map((credit) => credit.id)).not.toContain(id);
  });

  it('under a reference of the bank that two customers share is that of the one it names', async () => {
    const [one, other] = [await harness.addCustomer(), await harness.addCustomer()];
    const entry = harness.deposit({ remittance: await harness.reference(one.scope) });
    const twin = { ...entry, remittance: await harness.reference(other.scope) };
    await harness.reconcile({ entries: [entry, twin] });
    const standings = async () => [
      (await harness.standing(one.scope)).available,
      (await harness.standing(other.scope)).available,
    ];
    expect(await standings()).toEqual([FUNDS + 1_000n, FUNDS + 1_000n]);

    const unnamed = await harness.reconcile({
      entries: [reversalOf(entry, { remittance: 'Back' })],
    });
    expect(await harness.outcomes(unnamed)).toEqual(['UNEXPECTED_AT_BANK']);
    expect(await standings()).toEqual([FUNDS + 1_000n, FUNDS + 1_000n]);

    const stranger = await harness.reference((await harness.addCustomer()).scope);
    const another = await harness.reconcile({
      entries: [
        reversalOf({ ...entry, bookedAt: '2026-10-20T12:00:00Z' }, { remittance: stranger }),
      ],
    });
    expect(await harness.outcomes(another)).toEqual(['UNEXPECTED_AT_BANK']);

    const named = await harness.reconcile({
      entries: [reversalOf({ ...entry, bookedAt: '2026-10-21T12:00:00Z' })],
    });
    expect(await harness.outcomes(named)).toEqual(['CREDIT_REVERSAL']);
    expect(await standings()).toEqual([FUNDS, FUNDS + 1_000n]);
  });

  it('in part, or one that no customer was credited, is an exception and moves nothing', async () => {
    const entry = await credited();
    const before = await harness.standing(customer.scope);
    const ref = await harness.reconcile({
      entries: [
        reversalOf(entry, { amount: '9.99' }),
        reversalOf(harness.deposit({ remittance: 'Rent' })),
        // Not marked as a reversal: money that left without us.
        { ...entry, direction: 'DBIT' },
      ],
    });
    expect(await harness.outcomes(ref)).toEqual([
      'UNEXPECTED_AT_BANK',
      'UNEXPECTED_AT_BANK',
      'UNEXPECTED_AT_BANK',
    ]);
    expect(await harness.standing(customer.scope)).toEqual(before);
  });
});

describe('a reversal that is looked at before its credit', () => {
  it('keeps the credit from its customer, once', async () => {
    customer = await harness.addCustomer();
    const remittance = await harness.reference(customer.scope);
    const entry = harness.deposit({ remittance });
    const early = await harness.reconcile({ entries: [reversalOf(entry)] });
    expect(await harness.outcomes(early)).toEqual(['UNEXPECTED_AT_BANK']);
    const suspense = await harness.suspense();
    const ref = await harness.reconcile({ entries: [entry] });
    expect(await harness.outcomes(ref)).toEqual(['UNKNOWN_RETURN']);
    expect((await harness.unmatched()).at(-1)?.unmatchedReason).toBe('REVERSED_FIRST');
    expect(await harness.standing(customer.scope)).toEqual({ available: FUNDS, receivable: 0n });
    expect(await harness.suspense()).toBe(suspense + 1_000n);
    // Shown again it is the same; another deposit is credited, for the line is answered.
    const next = await harness.reconcile({ entries: [entry, harness.deposit({ remittance })] });
    expect(await harness.outcomes(next)).toEqual(['UNKNOWN_RETURN', 'CREDIT']);
    expect((await harness.standing(customer.scope)).available).toBe(FUNDS + 1_000n);
  });

  it.each([
    ['of another amount', { amount: '10.01' }],
    ['not marked as a reversal', { reversal: false }],
    ['booked days before it', { bookedAt: '2026-09-20T12:00:00Z' }],
  ] as const)('keeps no credit that it is not of: %s', async (_why, over) => {
    customer = await harness.addCustomer();
    const entry = harness.deposit({ remittance: await harness.reference(customer.scope) });
    const { bankReference: _own, ...reversal } = reversalOf(entry, over);
    await harness.reconcile({ entries: [reversal] });
    const ref = await harness.reconcile({ entries: [entry] });
    expect(await harness.outcomes(ref)).toEqual(['CREDIT']);
  });

  it("under the bank's reference of it, but with another's own, keeps it neither", async () => {
    customer = await harness.addCustomer();
    const other = await harness.addCustomer();
    const entry = harness.deposit({ remittance: await harness.reference(customer.scope) });
    const remittance = await harness.reference(other.scope);
    const early = await harness.reconcile({ entries: [reversalOf(entry, { remittance })] });
    expect(await harness.outcomes(early)).toEqual(['UNEXPECTED_AT_BANK']);
    const ref = await harness.reconcile({ entries: [entry] });
    expect(await harness.outcomes(ref)).toEqual(['CREDIT']);
  });

  it('at the same moment never leaves the money with the customer', async () => {
    customer = await harness.addCustomer();
    const remittance = await harness.reference(customer.scope);
    for (let round = 0; round < 5; round += 1) {
      const entry = harness.deposit({ remittance });
      const refs = [
        await harness.list({ entries: [reversalOf(entry)] }),
        await harness.list({ entries: [entry] }),
      ];
      for (const ref of refs) await harness.activities.readStatement(ref);
      await Promise.allSettled(refs.map((ref) => harness.activities.reconcileStatement(ref)));
      for (const ref of refs) await harness.activities.reconcileStatement(ref);
      expect(await harness.standing(customer.scope)).toEqual({ available: FUNDS, receivable: 0n });
    }
  });
});

describe('a line that cannot be booked', () => {
  it('holds up its own statement alone, and is credited once it can be', async () => {
    const full = await harness.addCustomer();
    const { available } = await harness.standing(full.scope);
    const setAvailable = (minor: bigint) =>
      harness.db.write(full.scope, (tx) =>
        tx.query(`UPDATE balances SET available = $2 WHERE customer_id = $1 AND currency = 'EUR'`, [
          full.scope.customerId,
          minor,
        ]),
      );
    await setAvailable(2n ** 63n - 100n);
    const [mine, theirs] = [
      await harness.reference(full.scope),
      await harness.reference((customer = await harness.addCustomer()).scope),
    ];
    const faulty = await harness.list({
      entries: [harness.deposit({ remittance: mine }), harness.deposit({ remittance: 'Rent' })],
    });
    await harness.activities.readStatement(faulty);
    await expect(harness.activities.reconcileStatement(faulty)).rejects.toThrow();
    expect(await harness.outcomes(faulty)).toEqual(['CREDIT', 'UNKNOWN_RETURN']);
    // What else is on it is told all the same.
    const { status } = await harness.statement(faulty);
    expect(status).toBe('READ');
    const [shown] = await harness.rows<{ id: string }>(
      'SELECT bank_statement_id AS id FROM statements WHERE id = $1',
      [faulty.statementId],
    );
    expect(harness.alarms).toContainEqual(
      expect.objectContaining({ exception: 'UNKNOWN_RETURN', bankStatementId: shown?.id }),
    );

    const next = await harness.reconcile({ entries: [harness.deposit({ remittance: theirs })] });
    expect((await harness.statement(next)).status).toBe('RECONCILED');
    expect((await harness.standing(customer.scope)).available).toBe(FUNDS + 1_000n);

    await setAvailable(available);
    await harness.activities.reconcileStatement(faulty);
    expect((await harness.statement(faulty)).status).toBe('RECONCILED');
    expect((await harness.standing(full.scope)).available).toBe(available + 1_000n);
  });

  it('because a reversal is beyond every balance is an exception, and holds up nothing', async () => {
    const entry = await credited();
    for (const amount of ['92233720368547758.08', '999999999999999999.99']) {
      const ref = await harness.reconcile({ entries: [reversalOf(entry, { amount })] });
      expect(await harness.outcomes(ref)).toEqual(['UNEXPECTED_AT_BANK']);
      expect((await harness.statement(ref)).status).toBe('RECONCILED');
    }
    expect((await harness.standing(customer.scope)).available).toBe(FUNDS + 1_000n);
  });
});

describe('killed in between', () => {
  const steps = [
    'INSERT INTO incoming_credits',
    'INSERT INTO funding_credits',
    'SET outcome = d.outcome',
  ];
  it.each(steps)('before %s, the next run credits once', async (statement) => {
    customer = await harness.addCustomer();
    const remittance = await harness.reference(customer.scope);
    const ref = await harness.list({
      entries: [harness.deposit({ remittance }), harness.deposit({ remittance: 'Rent' })],
    });
    const suspense = await harness.suspense();
    await harness.activities.readStatement(ref);
    await expect(harness.killedBefore(statement, ref)).rejects.toThrow('killed');
    await harness.activities.reconcileStatement(ref);
    expect(await harness.outcomes(ref)).toEqual(['CREDIT', 'UNKNOWN_RETURN']);
    expect((await harness.standing(customer.scope)).available).toBe(FUNDS + 1_000n);
    expect(await harness.suspense()).toBe(suspense + 1_000n);
    expect(await harness.events(customer.scope)).toHaveLength(1);
  });

  it.each(['INSERT INTO credit_reversals', 'UPDATE funding_credits', 'SET outcome = d.outcome'])(
    'before %s, the next run takes back once',
    async (statement) => {
      const entry = await credited();
      const ref = await harness.list({ entries: [reversalOf(entry)] });
      await harness.activities.readStatement(ref);
      await expect(harness.killedBefore(statement, ref)).rejects.toThrow('killed');
      await harness.activities.reconcileStatement(ref);
      expect(await harness.outcomes(ref)).toEqual(['CREDIT_REVERSAL']);
      expect(await harness.standing(customer.scope)).toEqual({ available: FUNDS, receivable: 0n });
      expect(await harness.events(customer.scope)).toHaveLength(2);
    },
  );
});
