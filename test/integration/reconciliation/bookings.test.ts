import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import {
  createFundingHarness,
  type FundingHarness,
} from '../../support/reconciliation/funding-harness.ts';
import type { EntryDraft, StatementDraft } from '../../support/reconciliation/statement-xml.ts';

let harness: FundingHarness;
beforeAll(async () => {
  harness = await createFundingHarness();
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

let amounts = 1_000;
/** An amount that no other test has, so that nothing of theirs is like it. */
function newAmount(): string {
  amounts += 1;
  return `${String(Math.floor(amounts / 100))}.${String(amounts % 100).padStart(2, '0')}`;
}

interface Payee {
  readonly remittance: string;
  credited(): Promise<string>;
}

async function newPayee(): Promise<Payee> {
  const { scope } = await harness.addCustomer();
  const remittance = await harness.reference(scope);
  const before = (await harness.standing(scope)).available;
  return { remittance, credited: () => creditedTo(scope, before) };
}

async function creditedTo(scope: Scope, before: bigint): Promise<string> {
  const { available } = await harness.standing(scope);
  return (available - before).toString();
}

const minorOf = (amount: string, times = 1): string =>
  (BigInt(amount.replace('.', '')) * BigInt(times)).toString();

/** What the lines of a report come to. */
async function shows(
  report: StatementDraft['report'],
  entries: readonly EntryDraft[],
  day = '2026-09-29',
): Promise<(string | null)[]> {
  const ref = await harness.reconcile(
    { report, entries },
    `${day}T23:59:00.000Z`,
    `${day}T00:00:00.000Z`,
  );
  return harness.outcomes(ref);
}

describe('a credit that the bank gave no reference', () => {
  it('is credited once when an intraday report, the day and a repeated list show it', async () => {
    const { remittance, credited } = await newPayee();
    const entry = {
      amount: newAmount(),
      direction: 'CRDT',
      bankReference: null,
      remittance,
    } as const;
    expect(await shows('INTRADAY', [entry])).toEqual(['CREDIT']);
    expect(await shows('DAY', [entry])).toEqual(['POSSIBLE_DUPLICATE']);
    expect(await shows('DAY', [entry])).toEqual(['POSSIBLE_DUPLICATE']);
    expect(await credited()).toBe(minorOf(entry.amount));
  });

  it('is two bookings where one statement shows it twice, or statements of two days', async () => {
    const { remittance, credited } = await newPayee();
    const entry = {
      amount: newAmount(),
      direction: 'CRDT',
      bankReference: null,
      remittance,
    } as const;
    expect(await shows('DAY', [entry, entry])).toEqual(['CREDIT', 'CREDIT']);
    expect(await shows('DAY', [entry], '2026-09-30')).toEqual(['CREDIT']);
    expect(await credited()).toBe(minorOf(entry.amount, 3));
  });

  it('waits where the payer changes the reference of another customer on the next report', async () => {
    const [one, other] = [await newPayee(), await newPayee()];
    const entry = { amount: newAmount(), direction: 'CRDT', bankReference: null } as const;
    await shows('INTRADAY', [{ ...entry, remittance: one.remittance }]);
    const next = await shows('DAY', [{ ...entry, remittance: other.remittance }]);
    expect(next).toEqual(['POSSIBLE_DUPLICATE']);
    expect([await one.credited(), await other.credited()]).toEqual([minorOf(entry.amount), '0']);
  });
});

describe('a credit under different references of the banks', () => {
  it('is one where a report has both', async () => {
    const { remittance, credited } = await newPayee();
    const entry = { amount: newAmount(), direction: 'CRDT', remittance } as const;
    const [transactionId, bankReference] = ['TX-BOTH', 'ACCT-BOTH'];
    expect(await shows('INTRADAY', [{ ...entry, transactionId, bankReference: null }])).toEqual([
      'CREDIT',
    ]);
    expect(await shows('DAY', [{ ...entry, transactionId, bankReference }])).toEqual(['CREDIT']);
    expect(await shows('ADVICE', [{ ...entry, bankReference }])).toEqual(['CREDIT']);
    expect(await credited()).toBe(minorOf(entry.amount));
  });

  it('waits where nothing ties them, and is credited where they contradict each other', async () => {
    const { remittance, credited } = await newPayee();
    const entry = { amount: newAmount(), direction: 'CRDT', remittance } as const;
    await shows('INTRADAY', [{ ...entry, transactionId: 'TX-ALONE', bankReference: null }]);
    expect(await shows('DAY', [{ ...entry, bankReference: 'ACCT-ALONE' }])).toEqual([
      'POSSIBLE_DUPLICATE',
    ]);
    const another = { ...entry, transactionId: 'TX-OTHER', bankReference: null };
    expect(await shows('INTRADAY', [another])).toEqual(['POSSIBLE_DUPLICATE']);
    const both = { ...entry, transactionId: 'TX-NEW', bankReference: 'ACCT-NEW' };
    expect(await shows('DAY', [both])).toEqual(['CREDIT']);
    expect(await credited()).toBe(minorOf(entry.amount, 2));
  });

  it('is one of each owner in an entry whose reference is shared, in any order', async () => {
    const [one, other] = [await newPayee(), await newPayee()];
    const amount = newAmount();
    const own = [
      { amount, remittance: one.remittance, transactionId: 'TX-BATCH-1' },
      { amount, remittance: other.remittance, transactionId: 'TX-BATCH-2' },
    ];
    const total = { amount: String(2 * Number(amount)), direction: 'CRDT' } as const;
    const entry = { ...total, bankReference: null, entryReference: 'ENTRY-SHARED' };
    expect(await shows('INTRADAY', [{ ...entry, amount, batch: own.slice(1) }])).toEqual([
      'CREDIT',
    ]);
    expect(await shows('DAY', [{ ...entry, batch: own }])).toEqual(['CREDIT', 'CREDIT']);
    expect(await shows('ADVICE', [{ ...entry, batch: own.toReversed() }])).toEqual([
      'CREDIT',
      'CREDIT',
    ]);
    expect([await one.credited(), await other.credited()]).toEqual([
      minorOf(amount),
      minorOf(amount),
    ]);
  });
});

describe('a credit that the release before this one took', () => {
  /** Reads a statement with one deposit, and takes that as the other release does. */
  async function takenBefore(entry: EntryDraft): Promise<void> {
    const ref = await harness.list({ entries: [entry] });
    await harness.activities.readStatement(ref);
    await harness.rows(
      `UPDATE statement_lines SET booking_references = '{}' WHERE statement_id = $1`,
      [ref.statementId],
    );
    await harness.rows(INSERT_BEFORE, [ref.statementId, newId('fc'), newId('btx')]);
    await harness.activities.reconcileStatement(ref);
  }

  const INSERT_BEFORE = `INSERT INTO incoming_credits (id, environment, connector, booking_key, occurrence,
      statement_id, line, bank_reference, currency, amount, minor, reference, booked_at, received_at,
      unmatched_reason, customer_id, outcome, decided_at, ledger_transaction_id)
    SELECT $2, environment, 'http-bank', booking_key, 1, statement_id, line, bank_reference, currency, amount,
      (amount * 100)::bigint, NULL, booked_at, booked_at, 'NO_REFERENCE', NULL, NULL, NULL, $3
    FROM statement_lines WHERE statement_id = $1`;

  it.each([
    ['AcctSvcrRef', { bankReference: 'BEFORE-A' }],
    ['TxId', { bankReference: null, transactionId: 'BEFORE-T' }],
  ])('by %s is the same on a report that is read after', async (_kind, over) => {
    const entry = { amount: newAmount(), direction: 'CRDT', remittance: 'Rent', ...over } as const;
    await takenBefore(entry);
    const waiting = (await harness.unmatched()).length;
    const both = { transactionId: 'BEFORE-T', ...entry };
    expect(await shows('INTRADAY', [both])).toEqual(['UNKNOWN_RETURN']);
    expect((await harness.unmatched()).length).toBe(waiting);
  });

  it('is refused to it where this release knows the booking by another reference', async () => {
    const { remittance } = await newPayee();
    const entry = { amount: newAmount(), direction: 'CRDT', remittance } as const;
    const transactionId = 'BESIDE-T';
    await shows('INTRADAY', [{ ...entry, transactionId, bankReference: null }]);
    await shows('DAY', [{ ...entry, transactionId, bankReference: 'BESIDE-A' }]);
    const ref = await harness.list({ entries: [{ ...entry, bankReference: 'BESIDE-A' }] });
    await harness.activities.readStatement(ref);
    const taken = harness.rows(INSERT_BEFORE, [ref.statementId, newId('fc'), newId('btx')]);
    await expect(taken).rejects.toThrow('known by another reference');
    await harness.activities.reconcileStatement(ref);
    expect(await harness.outcomes(ref)).toEqual(['CREDIT']);
  });
});

describe('a reversal that the bank gave no reference', () => {
  it('takes one of two equal credits back, whichever reports show it', async () => {
    const { remittance, credited } = await newPayee();
    const entry = { amount: newAmount(), direction: 'CRDT', remittance } as const;
    await shows('DAY', [
      { ...entry, bankReference: 'TWO-1' },
      { ...entry, bankReference: 'TWO-2' },
    ]);
    const back = { ...entry, direction: 'DBIT', reversal: true, bankReference: null } as const;
    expect(await shows('INTRADAY', [back])).toEqual(['CREDIT_REVERSAL']);
    expect(await shows('DAY', [back])).toEqual(['DUPLICATE_AT_BANK']);
    expect(await credited()).toBe(minorOf(entry.amount));
  });
});

describe('a reversal of a booking that may be two', () => {
  it('takes back neither: an operator would give the other one away', async () => {
    const { remittance } = await newPayee();
    const entry = { amount: newAmount(), direction: 'CRDT', bankReference: 'MAY-BE-TWO' } as const;
    expect(await shows('DAY', [{ ...entry, remittance: 'Rent' }])).toEqual(['UNKNOWN_RETURN']);
    expect(await shows('INTRADAY', [{ ...entry, remittance }])).toEqual(['POSSIBLE_DUPLICATE']);
    const back = { ...entry, direction: 'DBIT', reversal: true } as const;
    expect(await shows('DAY', [back])).toEqual(['UNEXPECTED_AT_BANK']);
  });
});

describe('a payout on reports that overlap', () => {
  const debit = (reference: string, over: Partial<EntryDraft> = {}): EntryDraft => ({
    ...{ reference, amount: '10.00', bankReference: null },
    ...over,
  });

  it.each([
    ['no reference of the bank', null, null],
    ['a reference of the bank on one', null, 'DAY-REF'],
    ['one reference of the bank on both', 'SAME-REF', 'SAME-REF'],
  ])('with %s is the same debit, and stays reconciled', async (_what, intraday, ofDay) => {
    const { id, reference } = await harness.pay('COMPLETED');
    expect(await shows('INTRADAY', [debit(reference, { bankReference: intraday })])).toEqual([
      'RECONCILED',
    ]);
    expect(await shows('DAY', [debit(reference, { bankReference: ofDay })])).toEqual(['REPEATED']);
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'RECONCILED' });
  });

  it.each([
    ['twice on one statement', 'DAY', ['DAY-1', 'DAY-1'], '2026-09-29'],
    ['under another reference a day later', 'DAY', ['DAY-2'], '2026-09-30'],
    ['on the statement of the next day, without any reference', 'DAY', [null], '2026-09-30'],
  ] as const)('that the bank pays again %s is a duplicate', async (_what, report, again, day) => {
    const { id, reference } = await harness.pay('COMPLETED');
    await shows('INTRADAY', [debit(reference)]);
    await shows('DAY', [debit(reference, { bankReference: again.length > 1 ? null : 'DAY-1' })]);
    const entries = again.map((bankReference) => debit(reference, { bankReference }));
    expect(await shows(report, entries, day)).toContain('DUPLICATE_AT_BANK');
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'EXCEPTION' });
  });

  it('that comes back is returned once, whichever reports show it', async () => {
    const { id, reference } = await harness.pay('COMPLETED');
    const back = debit(reference, { direction: 'CRDT', returnReason: 'AC04' });
    expect(await shows('INTRADAY', [debit(reference), back])).toEqual(['RECONCILED', 'RETURN']);
    expect(await shows('DAY', [debit(reference), back])).toEqual(['REPEATED', 'REPEATED']);
    expect(await shows('ADVICE', [back])).toEqual(['REPEATED']);
    expect(await harness.payment(id)).toMatchObject({
      status: 'RETURNED',
      reconciliation: 'RECONCILED',
    });
  });

  it('an advice says nothing of balances, and nothing of what it does not show', async () => {
    const ref = await harness.reconcile({ report: 'ADVICE', entries: [] });
    expect(await harness.statement(ref)).toMatchObject({ problems: [] });
  });
});
