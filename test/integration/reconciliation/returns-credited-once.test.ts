import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import type { StatementRef } from '../../../src/domain/workflows/work-refs.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import { finalise } from '../../support/finalise.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
} from '../../support/reconciliation/deciding-harness.ts';
import type { EntryDraft, StatementDraft } from '../../support/reconciliation/statement-xml.ts';
import type { PayingCustomer } from '../../support/seed-payments.ts';

let harness: DecidingHarness;
let ops: ReturnType<typeof createOpsCommands>;
let other: PayingCustomer;
let amounts = 61_000;
let before: Awaited<ReturnType<typeof books>>;
beforeAll(async () => {
  harness = await createDecidingHarness();
  ops = createOpsCommands(harness.commands, harness.clock);
  other = await harness.addCustomer();
});
afterAll(() => harness.close());
beforeEach(async () => {
  before = await books();
});

async function books() {
  const [row] = await harness.rows<{ nostro: bigint }>(
    `SELECT coalesce(sum(amount), 0)::bigint AS nostro FROM ledger_entries
     WHERE account LIKE 'nostro:%' AND currency = 'EUR'`,
  );
  const { available } = await harness.standing();
  const theirs = (await harness.standing(other.scope)).available;
  return { available, theirs, nostro: row?.nostro ?? 0n, suspense: await harness.suspense() };
}

/** What changed since the test began, or since its payment was paid. */
async function moved() {
  const now = await books();
  return {
    available: now.available - before.available,
    theirs: now.theirs - before.theirs,
    nostro: now.nostro - before.nostro,
    suspense: now.suspense - before.suspense,
  };
}

/** An amount that no other test has. */
function newAmount(): string {
  amounts += 1;
  return `${String(Math.floor(amounts / 100))}.${String(amounts % 100).padStart(2, '0')}`;
}

const minorOf = (amount: string) => BigInt(amount.replace('.', ''));

const shows = (
  entry: EntryDraft,
  report: NonNullable<StatementDraft['report']> = 'DAY',
): Promise<StatementRef> => harness.reconcile({ report, entries: [entry] });

/** A payment that the bank paid, and the booking by which it comes back: without its reference, and without the mark. */
async function paid(final = false) {
  const amount = newAmount();
  const payment = await harness.pay('COMPLETED', { amount: minorOf(amount) });
  await shows({ reference: payment.reference, amount, bankReference: newId('back') });
  if (final) {
    await finalise(harness.db, harness.clock);
    const [row] = await harness.rows('SELECT finality FROM payments WHERE id = $1', [payment.id]);
    expect(row).toEqual({ finality: 'FINAL' });
  }
  before = await books();
  const credit: EntryDraft = { amount, direction: 'CRDT', bankReference: newId('back') };
  const marked: EntryDraft = { ...credit, returnReason: 'AC04' };
  const { id, reference } = payment;
  return { id, minor: minorOf(amount), credit, marked, named: { ...marked, reference } };
}

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

const apply = (ref: StatementRef, act: string, ...more: string[]) =>
  ['exceptions', 'apply', lineOf(ref), '--act', act, ...more] as const;

/** The line is listed with what has its booking, has no act that moves money, and is acknowledged. */
async function expectAcknowledged(ref: StatementRef, named: string): Promise<void> {
  const { printed: shown } = await ops('exceptions', 'show', lineOf(ref));
  expect(shown).toContain(named);
  const booked = await books();
  for (const act of ['CREDIT_RETURN', 'WRITE_OFF']) {
    const { printed } = await propose(...apply(ref, act, '--account', 'GOODWILL'));
    expect(printed).toContain('Acts that do: ACKNOWLEDGE');
  }
  await done(...apply(ref, 'ACKNOWLEDGE'));
  expect(await books()).toEqual(booked);
  const { printed: listed } = await ops('exceptions', 'list');
  expect(listed).not.toContain(` ${lineOf(ref)} `);
}

describe('a booking that somebody has, and that another report shows as the return of a payment', () => {
  /** Who has the credit before the return is shown. */
  const ENDS: Readonly<
    Record<string, (entry: Awaited<ReturnType<typeof paid>>) => Promise<StatementRef>>
  > = {
    'a funding reference credited': async ({ credit }) =>
      shows({ ...credit, remittance: await harness.reference(other.scope) }, 'INTRADAY'),
    'operators assigned': async ({ credit }) => {
      const ref = await shows(credit, 'INTRADAY');
      const to = ['--customer', other.scope.customerId];
      await done('credits', 'assign', await creditOf(ref), ...to);
      return ref;
    },
    'an act returned to another payment': async ({ marked, minor }) => {
      const ref = await shows(marked, 'INTRADAY');
      const theirs = await other.pay({
        fate: 'COMPLETED',
        at: harness.clock.now(),
        amount: minor,
      });
      await done(...apply(ref, 'CREDIT_RETURN', '--payment', theirs.id));
      return ref;
    },
  };

  it.each(Object.keys(ENDS))('moves no money again: %s it', async (end) => {
    const entry = await paid();
    const first = await ENDS[end]!(entry);
    const creditId = await creditOf(first);
    const booked = await moved();
    const alarms = harness.alarms.length;
    const ref = await shows(entry.named);
    expect(await harness.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK']);
    expect(harness.alarms.length - alarms).toBe(1);
    expect(await moved()).toEqual(booked);
    expect(await harness.payment(entry.id)).toMatchObject({
      ...{ status: 'COMPLETED', reconciliation: 'EXCEPTION' },
      evidence: { exception: 'DUPLICATE_AT_BANK' },
    });
    expect(await creditOf(ref)).toBe(creditId);
    // Another customer's credit is not the customer's to see.
    const shown = JSON.stringify(await harness.payment(entry.id));
    expect(shown).not.toContain(creditId);
    await harness.activities.reconcileStatement(ref);
    expect(await moved()).toEqual(booked);
    await expectAcknowledged(ref, creditId);
    expect(await harness.payment(entry.id)).toMatchObject({ reconciliation: 'RECONCILED' });
  });

  it('moves no money again where a cover trade is tied to it; once that is reversed, it is the return', async () => {
    const entry = await paid();
    const ref = await shows({ ...entry.credit, reference: 'T-4711' }, 'INTRADAY');
    const trade = ['--environment', 'test', '--reference', 'T-4711', '--sold', '900.00 USD'];
    const bought = ['--sold-from', 'ACH', '--bought', `${entry.credit.amount} EUR`];
    await done('fx', 'cover', ...trade, ...bought, '--bought-to', 'SEPA');
    const creditId = await creditOf(ref);
    const tie = await done('credits', 'tie', creditId, '--trade', 'T-4711');
    const booked = await moved();
    const named = await shows(entry.named);
    expect(await harness.outcomes(named)).toEqual(['DUPLICATE_AT_BANK']);
    expect(await moved()).toEqual(booked);

    await done('exceptions', 'reverse', tie);
    const stranger = await harness.pay('COMPLETED', { amount: entry.minor });
    const wrong = await propose(...apply(ref, 'CREDIT_RETURN', '--payment', stranger.id));
    expect(await harness.approve(wrong.id)).toMatchObject({ code: 1 });
    before = await books();
    await done(...apply(ref, 'CREDIT_RETURN', '--payment', entry.id));
    expect(await moved()).toMatchObject({ available: entry.minor, suspense: -entry.minor });
  });

  it('is the same one that only the reference of the transaction proves', async () => {
    const entry = await paid();
    const alike = { bankReference: null, transactionId: newId('tx') };
    const remittance = await harness.reference(other.scope);
    await shows({ ...entry.credit, ...alike, remittance }, 'ADVICE');
    const ref = await shows({ ...entry.named, ...alike });
    expect(await harness.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK']);
    expect(await moved()).toMatchObject({ available: 0n, theirs: entry.minor });
  });

  it('moves no money again as a late return', async () => {
    const entry = await paid(true);
    const remittance = await harness.reference(other.scope);
    const creditId = await creditOf(await shows({ ...entry.credit, remittance }, 'INTRADAY'));
    const ref = await shows(entry.named);
    expect(await harness.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK']);
    expect(await moved()).toMatchObject({ available: 0n, theirs: entry.minor, suspense: 0n });
    await expectAcknowledged(ref, creditId);
  });

  it.each([
    ['under another reference of the bank', { bankReference: 'ANOTHER-1' }],
    ['booked more than 36 hours later', { bookedAt: '2026-10-02T12:00:00Z' }],
  ])('is another one %s: both are credited', async (_name, over) => {
    const entry = await paid();
    const remittance = await harness.reference(other.scope);
    const bookedAt = '2026-09-29T10:00:00Z';
    await shows({ ...entry.credit, bookedAt, remittance }, 'INTRADAY');
    const ref = await shows({ ...entry.named, bookedAt, ...over });
    expect(await harness.outcomes(ref)).toEqual(['RETURN']);
    expect(await moved()).toMatchObject({ available: entry.minor, theirs: entry.minor });
  });

  it('is another one where the bank took the credit back', async () => {
    const entry = await paid();
    const remittance = await harness.reference(other.scope);
    const credit = { ...entry.credit, remittance };
    await shows(credit, 'INTRADAY');
    await shows({ ...credit, direction: 'DBIT', returnReason: 'AM05' }, 'INTRADAY');
    expect(await harness.outcomes(await shows(entry.named))).toEqual(['RETURN']);
    expect(await moved()).toMatchObject({ available: entry.minor, theirs: 0n });
  });

  it('moves no money where the same report shows once more that the bank took it back', async () => {
    const entry = await paid();
    await shows(entry.marked, 'INTRADAY');
    const taken = { ...entry.marked, direction: 'DBIT' } as const;
    expect(await harness.outcomes(await shows(taken, 'INTRADAY'))).toEqual(['CREDIT_REVERSAL']);
    const ref = await harness.reconcile({ entries: [entry.named, taken] });
    expect(await harness.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK', 'CREDIT_REVERSAL']);
    expect(await moved()).toEqual({ available: 0n, theirs: 0n, nostro: 0n, suspense: 0n });
  });

  it('is credited once where both reports are read at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const entry = await paid();
      const remittance = await harness.reference(other.scope);
      const refs = [
        await harness.list({ report: 'INTRADAY', entries: [{ ...entry.credit, remittance }] }),
        await harness.list({ entries: [entry.named] }),
      ];
      for (const ref of refs) await harness.activities.readStatement(ref);
      await Promise.all(refs.map((ref) => harness.activities.reconcileStatement(ref)));
      const { available, theirs } = await moved();
      expect(available + theirs).toBe(entry.minor);
    }
  });
});

describe('a return that is in the books, and that another report shows as a credit', () => {
  it.each([
    ['under a customer’s reference', {}],
    ['marked, without the payment', { returnReason: 'AC04' }],
  ])('credits nobody: %s', async (_name, over) => {
    const entry = await paid();
    expect(await harness.outcomes(await shows(entry.named, 'INTRADAY'))).toEqual(['RETURN']);
    const remittance = await harness.reference(other.scope);
    const ref = await shows({ ...entry.credit, remittance, ...over }, 'ADVICE');
    expect(await harness.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK']);
    expect(await moved()).toEqual({
      ...{ available: entry.minor, theirs: 0n, nostro: -entry.minor, suspense: 0n },
    });
    await expectAcknowledged(ref, `return of payment ${entry.id}`);
  });

  it('credits nobody where the return was late', async () => {
    const entry = await paid(true);
    expect(await harness.outcomes(await shows(entry.named))).toEqual(['LATE_RETURN']);
    const remittance = await harness.reference(other.scope);
    const ref = await shows({ ...entry.credit, remittance }, 'ADVICE');
    expect(await harness.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK']);
    expect(await moved()).toMatchObject({ theirs: 0n, suspense: entry.minor });
  });

  it('is a deposit of its own on the report that shows the return too', async () => {
    const entry = await paid();
    await shows(entry.named, 'INTRADAY');
    const remittance = await harness.reference(other.scope);
    const deposit = { ...entry.credit, remittance };
    const ref = await harness.reconcile({ entries: [entry.named, deposit] });
    expect(await harness.outcomes(ref)).toEqual(['REPEATED', 'CREDIT']);
    expect(await moved()).toMatchObject({ theirs: entry.minor });
  });
});

describe('a deposit and a return on reports of two days, under one reference that the bank counts anew each day', () => {
  const DAYS = [
    { bookedAt: '2026-09-28T10:00:00Z', from: '2026-09-28T00:00:00Z', to: '2026-09-29T00:00:00Z' },
    { bookedAt: '2026-09-29T09:00:00Z', from: '2026-09-29T00:00:00Z', to: '2026-09-30T00:00:00Z' },
  ] as const;

  it.each(['the deposit', 'the return'])('are two bookings: %s is first', async (first) => {
    const entry = await paid();
    const deposit = { ...entry.credit, remittance: await harness.reference(other.scope) };
    const entries = first === 'the deposit' ? [deposit, entry.named] : [entry.named, deposit];
    for (const [index, { bookedAt, from, to }] of DAYS.entries()) {
      const shown = { ...entries[index]!, bookedAt };
      await harness.reconcile({ entries: [shown] }, to, from);
    }
    expect(await moved()).toMatchObject({ available: entry.minor, theirs: entry.minor });
  });
});

describe('a credit that a customer has, and that the bank marks as a return later', () => {
  it('is an exception, once, and keeps its owner', async () => {
    const entry = await paid();
    const remittance = await harness.reference(other.scope);
    const first = await shows({ ...entry.credit, remittance }, 'INTRADAY');
    const alarms = harness.alarms.length;
    const ref = await shows({ ...entry.marked, remittance });
    expect(await harness.outcomes(ref)).toEqual(['DUPLICATE_AT_BANK']);
    expect(harness.alarms.length - alarms).toBe(1);
    expect(await harness.outcomes(await shows({ ...entry.marked, remittance }, 'ADVICE'))).toEqual([
      'CREDIT',
    ]);
    expect(await moved()).toMatchObject({ theirs: entry.minor, suspense: 0n });
    await expectAcknowledged(ref, await creditOf(first));
  });

  it('is none where operators said that it is no return', async () => {
    const entry = await paid();
    const creditId = await creditOf(await shows(entry.marked, 'INTRADAY'));
    const to = ['--customer', other.scope.customerId, '--not-return', 'yes'];
    await done('credits', 'assign', creditId, ...to);
    expect(await harness.outcomes(await shows(entry.marked))).toEqual(['CREDIT']);
  });
});

describe('a marked return that the bank takes back', () => {
  /** A deposit of another customer, whose funding reference the bank copied into the return. */
  async function withDeposit() {
    const entry = await paid();
    const remittance = await harness.reference(other.scope);
    const { amount } = entry.credit;
    await shows({ amount, direction: 'CRDT', bankReference: newId('back'), remittance });
    before = await books();
    const taken = { ...entry.marked, remittance, direction: 'DBIT' } as const;
    return { ...entry, remittance, taken: { ...taken, bookedAt: '2026-09-30T12:00:00Z' } };
  }

  it('leaves suspense, and the deposit with the copied reference stays its customer’s', async () => {
    const { marked, remittance, taken } = await withDeposit();
    await shows({ ...marked, remittance });
    expect(await harness.outcomes(await shows(taken))).toEqual(['CREDIT_REVERSAL']);
    expect(await moved()).toEqual({ available: 0n, theirs: 0n, nostro: 0n, suspense: 0n });
  });

  it('waits for operators where an act returned it to a payment', async () => {
    const { id, minor, marked, remittance, taken } = await withDeposit();
    const ref = await shows({ ...marked, remittance });
    await done(...apply(ref, 'CREDIT_RETURN', '--payment', id));
    expect(await harness.outcomes(await shows(taken))).toEqual(['UNEXPECTED_AT_BANK']);
    expect(await moved()).toMatchObject({ available: minor, theirs: 0n });
  });

  it('waits for operators where a line of its payment closed it', async () => {
    const { minor, marked, named, remittance, taken } = await withDeposit();
    const creditId = await creditOf(await shows({ ...marked, remittance }, 'INTRADAY'));
    const ref = await shows({ ...named, remittance });
    const [shown] = await harness.rows<{ id: string }>(
      'SELECT bank_statement_id AS id FROM statements WHERE id = $1',
      [ref.statementId],
    );
    await done('credits', 'close', creditId, '--statement', shown?.id ?? '', '--line', '1');
    expect(await harness.outcomes(await shows(taken))).toEqual(['UNEXPECTED_AT_BANK']);
    expect(await moved()).toMatchObject({ available: minor, theirs: 0n });
  });

  it('waits for operators where it named its payment', async () => {
    const { minor, named, remittance, taken } = await withDeposit();
    await shows({ ...named, remittance });
    expect(await harness.outcomes(await shows(taken))).toEqual(['UNEXPECTED_AT_BANK']);
    expect(await moved()).toMatchObject({ available: minor, theirs: 0n });
  });

  it('charges the customer whose own deposit the bank takes back', async () => {
    const remittance = await harness.reference(other.scope);
    const entry = { ...harness.deposit({ amount: newAmount() }), remittance };
    await shows(entry);
    before = await books();
    const taken = { ...entry, direction: 'DBIT', returnReason: 'AM05' } as const;
    expect(await harness.outcomes(await shows(taken))).toEqual(['CREDIT_REVERSAL']);
    expect(await moved()).toMatchObject({ theirs: -minorOf(entry.amount) });
  });
});

describe('the database', () => {
  it('refuses a tie whose money does not leave suspense', async () => {
    const entry = await paid();
    const creditId = await creditOf(await shows({ ...entry.credit, reference: 'T-4712' }));
    const trade = ['--environment', 'test', '--reference', 'T-4712', '--sold', '900.00 USD'];
    const bought = ['--sold-from', 'ACH', '--bought', `${entry.credit.amount} EUR`];
    await done('fx', 'cover', ...trade, ...bought, '--bought-to', 'SEPA');
    const { id } = await propose('credits', 'tie', creditId, '--trade', 'T-4712');
    const admin = new pg.Client({ connectionString: harness.url });
    await admin.connect();
    await admin.query('SET session_replication_role = replica');
    await admin.query(
      `UPDATE approvals SET content = content || '{"freedCurrency": "USD"}' WHERE id = $1`,
      [id],
    );
    await admin.end();
    const booked = await books();
    await harness.approve(id).catch(() => null);
    expect(await harness.credit(creditId)).toMatchObject({ outcome: null });
    expect(await books()).toEqual(booked);
  });
});

describe('a return in suspense that another report shows as a second return of a payment', () => {
  it('is not returned to another payment', async () => {
    const entry = await paid();
    await shows({ ...entry.named, bankReference: newId('back') });
    const unnamed = await shows(entry.marked, 'INTRADAY');
    const second = await shows(entry.named);
    expect(await harness.outcomes(second)).toEqual(['DUPLICATE_AT_BANK']);
    const stranger = await harness.pay('COMPLETED', { amount: entry.minor });
    const { id } = await propose(...apply(unnamed, 'CREDIT_RETURN', '--payment', stranger.id));
    const refused = await harness.approve(id);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.printed).toContain(`names payment ${entry.id}`);
  });
});
