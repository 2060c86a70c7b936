import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { balancesMatchEntries } from '../../../src/cli/verify/balances-match-entries.ts';
import { ledgerSumsToZero } from '../../../src/cli/verify/ledger-sums-to-zero.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import type { StatementRef } from '../../../src/domain/workflows/work-refs.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
} from '../../support/reconciliation/deciding-harness.ts';
import type { EntryDraft, StatementDraft } from '../../support/reconciliation/statement-xml.ts';

let harness: DecidingHarness;
let ops: ReturnType<typeof createOpsCommands>;
let amounts = 41_000;
let before = { available: 0n, nostro: 0n, suspense: 0n };
beforeAll(async () => {
  harness = await createDecidingHarness();
  ops = createOpsCommands(harness.commands, harness.clock);
});
afterAll(async () => {
  await expectSums();
  await harness.close();
});
beforeEach(async () => {
  before = await books();
});

async function books() {
  const [row] = await harness.rows<{ nostro: bigint }>(
    `SELECT coalesce(sum(amount), 0)::bigint AS nostro FROM ledger_entries
     WHERE account LIKE 'nostro:%' AND currency = 'EUR'`,
  );
  const { available } = await harness.standing();
  return { available, nostro: row?.nostro ?? 0n, suspense: await harness.suspense() };
}

/** What changed since the test began. */
async function moved() {
  const now = await books();
  return {
    available: now.available - before.available,
    nostro: now.nostro - before.nostro,
    suspense: now.suspense - before.suspense,
  };
}

async function expectSums(): Promise<void> {
  const connection = await connectToVerify(harness.url);
  try {
    const found = await connection.snapshot(async (reader) => [
      await ledgerSumsToZero(reader),
      await balancesMatchEntries(reader),
    ]);
    expect(found.flatMap(({ samples }) => samples)).toEqual([]);
  } finally {
    await connection.close();
  }
}

/** An amount that no other test has. */
function newAmount(): string {
  amounts += 1;
  return `${String(Math.floor(amounts / 100))}.${String(amounts % 100).padStart(2, '0')}`;
}

const minorOf = (amount: string) => BigInt(amount.replace('.', ''));

/** A credit that the bank marks as a return, under a reference that is none of ours. */
const marked = (over: Partial<EntryDraft> = {}): EntryDraft => ({
  ...{ reference: 'THEIR-REFERENCE', amount: newAmount(), direction: 'CRDT', returnReason: 'AC04' },
  ...{ bankReference: newId('back'), ...over },
});

const shows = (
  entry: EntryDraft,
  report: NonNullable<StatementDraft['report']> = 'DAY',
): Promise<StatementRef> => harness.reconcile({ report, entries: [entry] });

const lineOf = ({ statementId }: StatementRef) => `${statementId}/1`;

async function creditOf({ statementId }: StatementRef): Promise<string> {
  const [row] = await harness.rows<{ id: string | null }>(
    'SELECT credit_id AS id FROM statement_lines WHERE statement_id = $1 AND line = 1',
    [statementId],
  );
  return row?.id ?? '';
}

async function propose(...args: string[]) {
  const { printed } = await ops(...args, '--reason', 'asked the bank', '--operator', 'ada');
  return { printed, id: /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '' };
}

/** Two operators do it; answers the act, if it is one about an exception. */
async function done(...args: string[]): Promise<string> {
  const { id, printed } = await propose(...args);
  expect(id, printed).not.toBe('');
  const approved = await harness.approve(id);
  expect(approved, approved.printed).toMatchObject({ code: 0 });
  return /exa_[0-9a-z]+/.exec(approved.printed)?.[0] ?? '';
}

const creditReturn = (ref: StatementRef, payment: string, ...more: string[]) =>
  [
    'exceptions',
    'apply',
    lineOf(ref),
    '--act',
    'CREDIT_RETURN',
    '--payment',
    payment,
    ...more,
  ] as const;

const assign = (creditId: string, ...more: string[]) =>
  [
    'credits',
    'assign',
    creditId,
    '--customer',
    harness.customer.scope.customerId,
    ...more,
  ] as const;

/** By the first line of a statement. */
async function close(creditId: string, { statementId }: StatementRef) {
  const [shown] = await harness.rows<{ id: string }>(
    'SELECT bank_statement_id AS id FROM statements WHERE id = $1',
    [statementId],
  );
  const line = ['--statement', shown?.id ?? '', '--line', '1'];
  return propose('credits', 'close', creditId, ...line);
}

/** A payment that the bank paid, of this amount. */
async function paid(amount: string) {
  const payment = await harness.pay('COMPLETED', { amount: minorOf(amount) });
  await shows({ reference: payment.reference, amount, bankReference: newId('back') });
  before = await books();
  return payment;
}

describe('a marked return that names no payment', () => {
  it('is in suspense at once, once for all reports that show it, and operators see it once', async () => {
    const entry = marked();
    const raised = () => harness.alarms.filter(({ exception }) => exception === 'UNKNOWN_RETURN');
    const told = raised().length;
    const first = await shows(entry, 'INTRADAY');
    const minor = minorOf(entry.amount);
    expect(await moved()).toEqual({ available: 0n, nostro: -minor, suspense: minor });
    const others = [await shows(entry), await shows(entry, 'ADVICE')];
    expect(await harness.outcomes(first)).toEqual(['UNKNOWN_RETURN']);
    for (const ref of others) {
      expect(await harness.outcomes(ref)).toEqual(['CREDIT']);
      expect(await creditOf(ref)).toBe(await creditOf(first));
    }
    await harness.activities.reconcileStatement(first);
    expect(await moved()).toEqual({ available: 0n, nostro: -minor, suspense: minor });
    const { printed } = await ops('exceptions', 'list');
    expect(printed.split('\n').filter((line) => line.includes(entry.amount))).toHaveLength(1);
    expect(await harness.credit(await creditOf(first))).toMatchObject({
      unmatchedReason: 'MARKED_RETURN',
    });
    expect(raised().length - told).toBe(1);
  });

  it('credits no customer whose reference the bank copied into it', async () => {
    const remittance = await harness.reference();
    const ref = await shows(marked({ remittance }));
    expect(await harness.outcomes(ref)).toEqual(['UNKNOWN_RETURN']);
    expect(await moved()).toMatchObject({ available: 0n });
  });

  it('ends as the return of the payment that operators name; reversed, it waits in suspense again', async () => {
    const amount = newAmount();
    const { id } = await paid(amount);
    const ref = await shows(marked({ amount }));
    const minor = minorOf(amount);
    const act = await done(...creditReturn(ref, id));
    expect(await harness.payment(id)).toMatchObject({ status: 'RETURNED' });
    expect(await moved()).toEqual({ available: minor, nostro: -minor, suspense: 0n });
    expect(await harness.credit(await creditOf(ref))).toMatchObject({ outcome: 'RETURNED' });
    expect((await propose(...assign(await creditOf(ref), '--not-return', 'yes'))).id).toBe('');
    expect((await propose(...creditReturn(ref, id))).id).toBe('');

    await done('exceptions', 'reverse', act);
    expect(await moved()).toEqual({ available: 0n, nostro: -minor, suspense: minor });
    expect(await harness.credit(await creditOf(ref))).toMatchObject({ outcome: null });
    await done(...assign(await creditOf(ref), '--not-return', 'yes'));
    expect(await moved()).toEqual({ available: minor, nostro: -minor, suspense: 0n });
  });

  it('of more than was sent: no more than that is the customer’s, and the rest needs an account', async () => {
    const { id } = await paid('10.00');
    const ref = await shows(marked({ amount: '15.00' }));
    expect((await propose(...creditReturn(ref, id))).id).toBe('');
    await done(...creditReturn(ref, id, '--account', 'GOODWILL'));
    expect(await moved()).toEqual({ available: 1_000n, nostro: -1_500n, suspense: 0n });
  });

  it('has no other act: money in suspense is not acknowledged or charged', async () => {
    const ref = await shows(marked());
    for (const act of ['ACKNOWLEDGE', 'RECOVER']) {
      const wanted = ['--act', act, '--account', 'GOODWILL'];
      const { printed } = await propose('exceptions', 'apply', lineOf(ref), ...wanted);
      expect(printed).toContain('Acts that do: CREDIT_RETURN, WRITE_OFF.');
    }
  });

  it('is a customer’s deposit only if operators say that it is no return', async () => {
    const entry = marked();
    const creditId = await creditOf(await shows(entry));
    expect((await propose(...assign(creditId))).printed).toContain('marks credit');
    await done(...assign(creditId, '--not-return', 'yes'));
    expect(await moved()).toMatchObject({ available: minorOf(entry.amount), suspense: 0n });
  });

  it('is one although the first report did not mark it: what was proposed before has no effect', async () => {
    const { returnReason: _mark, ...entry } = marked();
    const first = await shows(entry, 'INTRADAY');
    const creditId = await creditOf(first);
    const { id } = await propose(...assign(creditId));
    expect(await creditOf(await shows({ ...entry, returnReason: 'AC04' }))).toBe(creditId);
    const refused = await harness.approve(id);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.printed).toContain('marks this credit as a return');
    const { printed } = await ops('exceptions', 'list');
    expect(printed.split('\n').filter((line) => line.includes(entry.amount))).toHaveLength(1);
  });

  it('that the bank takes back leaves suspense by itself, and no longer once it is a payment’s return', async () => {
    const entry = marked();
    const taken = { ...entry, direction: 'DBIT', bookedAt: '2026-09-30T12:00:00Z' } as const;
    await shows(entry);
    expect(await harness.outcomes(await shows(taken))).toEqual(['CREDIT_REVERSAL']);
    expect(await moved()).toEqual({ available: 0n, nostro: 0n, suspense: 0n });

    const amount = newAmount();
    const { id } = await paid(amount);
    const other = marked({ amount });
    await done(...creditReturn(await shows(other), id));
    const again = { ...other, direction: 'DBIT', bookedAt: '2026-09-30T12:00:00Z' } as const;
    expect(await harness.outcomes(await shows(again))).toEqual(['UNEXPECTED_AT_BANK']);
    expect(await moved()).toMatchObject({ suspense: 0n, available: minorOf(amount) });
  });

  it('that another report shows as the return of a payment is closed by that line, and by no other one', async () => {
    const amount = newAmount();
    const { id, reference } = await paid(amount);
    const entry = marked({ amount });
    const unnamed = await shows(entry, 'INTRADAY');
    const creditId = await creditOf(unnamed);
    const another = await shows(marked({ amount: newAmount() }));
    const named = await shows({ ...entry, reference });
    expect(await harness.outcomes(named)).toEqual(['RETURN']);

    const stranger = await harness.pay('COMPLETED', { amount: minorOf(amount) });
    const refused = await harness.approve(
      (await propose(...creditReturn(unnamed, stranger.id))).id,
    );
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.printed).toContain(`the return of payment ${id}`);
    const { printed } = await propose(...assign(creditId, '--not-return', 'yes'));
    expect(printed).toContain(`the return of payment ${id}`);
    for (const wrong of [another, unnamed]) {
      expect(await harness.approve((await close(creditId, wrong)).id)).toMatchObject({ code: 1 });
    }
    expect(await harness.approve((await close(creditId, named)).id)).toMatchObject({ code: 0 });
    expect(await harness.credit(creditId)).toMatchObject({ outcome: 'CLOSED' });
    expect(await harness.payment(id)).toMatchObject({ status: 'RETURNED' });
  });

  it('that an earlier report shows without the mark is closed by the line that has it', async () => {
    const amount = newAmount();
    const { reference } = await paid(amount);
    const { returnReason: _mark, ...entry } = marked({ amount, reference });
    const creditId = await creditOf(await shows(entry, 'INTRADAY'));
    const named = await shows({ ...entry, returnReason: 'AC04' });
    expect(await harness.outcomes(named)).toEqual(['RETURN']);
    expect((await propose(...assign(creditId))).printed).toContain('Close the credit by that line');
    expect(await harness.approve((await close(creditId, named)).id)).toMatchObject({ code: 0 });
    expect(await moved()).toMatchObject({ available: minorOf(amount), suspense: 0n });
  });

  it('that may be the booking of an earlier one is returned or dismissed, and never both returned', async () => {
    const amount = newAmount();
    const { id } = await paid(amount);
    const entry = marked({ amount, bankReference: null });
    const first = await shows(entry, 'INTRADAY');
    const second = await shows(entry);
    expect(await harness.outcomes(second)).toEqual(['POSSIBLE_DUPLICATE']);
    await done(...creditReturn(second, id));
    expect((await propose(...creditReturn(first, id))).id).toBe('');
    expect(await moved()).toMatchObject({ available: minorOf(amount), suspense: minorOf(amount) });
  });

  it('is decided once by two approvals at one moment', async () => {
    const amount = newAmount();
    const { id } = await paid(amount);
    const ref = await shows(marked({ amount }));
    const one = await propose(...creditReturn(ref, id));
    const other = await propose(...assign(await creditOf(ref), '--not-return', 'yes'));
    const both = await Promise.all([harness.approve(one.id), harness.approve(other.id)]);
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    expect(await moved()).toEqual({
      ...{ available: minorOf(amount), nostro: -minorOf(amount), suspense: 0n },
    });
  });

  it('whose booking an act has moved by another line is in no book again', async () => {
    const { reference } = await paid('10.00');
    await shows(marked({ reference, amount: '10.00' }));
    const entry = marked({ amount: '10.00' });
    const second = await shows({ ...entry, reference }, 'INTRADAY');
    await done(
      'exceptions',
      'apply',
      lineOf(second),
      '--act',
      'WRITE_OFF',
      '--account',
      'GOODWILL',
    );
    const booked = await moved();
    const ref = await shows(entry);
    expect(await creditOf(ref)).toBe('');
    expect(await moved()).toEqual(booked);
    await done('exceptions', 'apply', lineOf(ref), '--act', 'ACKNOWLEDGE');
  });
});

describe('the database', () => {
  it('takes no marked return for a customer’s, whoever asks', async () => {
    const ref = await shows(marked());
    const copy = harness.rows(
      `INSERT INTO incoming_credits (id, environment, connector, booking_key, occurrence, statement_id,
         line, currency, amount, minor, received_at, unmatched_reason, ledger_transaction_id)
       SELECT $2, environment, connector, booking_key, 99, statement_id, line, currency, amount, minor,
         received_at, 'NO_REFERENCE', $3 FROM incoming_credits WHERE id = $1`,
      [await creditOf(ref), newId('fc'), newId('ltx')],
    );
    await expect(copy).rejects.toThrow('the bank marks it as a return');
  });

  it('has a credit returned by an act alone', async () => {
    const creditId = await creditOf(await shows(marked()));
    const marking = harness.rows(
      `UPDATE incoming_credits SET outcome = 'RETURNED', decided_at = received_at WHERE id = $1`,
      [creditId],
    );
    await expect(marking).rejects.toThrow('only returned by an act');
  });
});
