import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { balancesMatchEntries } from '../../../src/cli/verify/balances-match-entries.ts';
import { ledgerSumsToZero } from '../../../src/cli/verify/ledger-sums-to-zero.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
} from '../../support/reconciliation/deciding-harness.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';

let harness: DecidingHarness;
let ops: ReturnType<typeof createOpsCommands>;
/** What the bank's statements of a test moved, minor units: positive came in. */
let atBank = 0n;
let before: Awaited<ReturnType<typeof books>>;
beforeAll(async () => {
  harness = await createDecidingHarness();
  ops = createOpsCommands(harness.commands, harness.clock);
});
afterAll(() => harness.close());
beforeEach(async () => {
  atBank = 0n;
  before = await books();
});

async function books() {
  const [row] = await harness.rows<Record<'nostro' | 'suspense' | 'charges' | 'goodwill', bigint>>(
    `SELECT coalesce(sum(amount) FILTER (WHERE account LIKE 'nostro:%'), 0)::bigint AS nostro,
       coalesce(sum(amount) FILTER (WHERE account = 'suspense'), 0)::bigint AS suspense,
       coalesce(sum(amount) FILTER (WHERE account = 'bank_charges'), 0)::bigint AS charges,
       coalesce(sum(amount) FILTER (WHERE account = 'goodwill'), 0)::bigint AS goodwill
     FROM ledger_entries WHERE currency = 'EUR'`,
  );
  if (row === undefined) throw new Error('no sums');
  return { ...row, ...(await harness.standing()) };
}

/** What changed since the test began; the bank's accounts are minus what the bank holds. */
async function moved() {
  const now = await books();
  const of = (name: keyof typeof now) => now[name] - before[name];
  return {
    ...{ nostro: of('nostro'), suspense: of('suspense'), charges: of('charges') },
    ...{ available: of('available'), receivable: of('receivable') },
  };
}

/** Lines of a new statement, each a booking of its own. */
async function bank(...drafts: EntryDraft[]): Promise<string> {
  const entries = drafts.map((draft) => ({ bankReference: newId('back'), ...draft }));
  for (const { amount, direction } of entries) {
    const minor = BigInt(amount.replace('.', ''));
    atBank += direction === 'CRDT' ? minor : -minor;
  }
  return (await harness.reconcile({ entries })).statementId;
}

const back = (reference: string, amount: string): EntryDraft => ({
  ...{ reference, amount, direction: 'CRDT', returnReason: 'AC04' },
});

async function propose(...args: string[]) {
  const said = await ops('exceptions', ...args, '--reason', 'asked the bank', '--operator', 'ada');
  return { ...said, id: /apr_[0-9a-z]+/.exec(said.printed)?.[0] ?? '' };
}

/** Two operators do it; answers the act. */
async function act(...args: string[]): Promise<string> {
  const { id, printed } = await propose(...args);
  expect(id, printed).not.toBe('');
  const done = await harness.approve(id);
  expect(done, done.printed).toMatchObject({ code: 0 });
  return /exa_[0-9a-z]+/.exec(done.printed)?.[0] ?? '';
}

async function reverse(id: string): Promise<void> {
  const { id: approval } = await propose('reverse', id);
  expect(await harness.approve(approval)).toMatchObject({ code: 0 });
}

/** I4 and I5. */
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

async function isOpen(id: string): Promise<boolean> {
  const { printed } = await ops('exceptions', 'show', id);
  return printed.includes('OPEN');
}

describe('an exception of a statement', () => {
  it('a debit with charges: written off, the books show what the bank shows; reversed once, and open again', async () => {
    const { id, reference } = await harness.pay('COMPLETED');
    const exception = `${await bank({ reference, amount: '12.50' })}/1`;
    const done = await act('apply', exception, '--act', 'WRITE_OFF', '--account', 'BANK_CHARGES');
    expect(await moved()).toMatchObject({ nostro: -atBank, suspense: 0n, charges: -250n });
    expect(await harness.payment(id)).toMatchObject({
      status: 'COMPLETED',
      reconciliation: 'RECONCILED',
    });
    await reverse(done);
    expect(await moved()).toMatchObject({ nostro: 1000n, charges: 0n });
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'EXCEPTION' });
    expect(await isOpen(exception)).toBe(true);
    expect((await propose('reverse', done)).id).toBe('');
    await expectSums();
  });

  it('of a debit with charges, the later whole return is credited as the return of the payment', async () => {
    const { id, reference } = await harness.pay('COMPLETED');
    const debit = `${await bank({ reference, amount: '12.50' })}/1`;
    const credit = `${await bank(back(reference, '10.00'))}/1`;
    await act('apply', debit, '--act', 'WRITE_OFF', '--account', 'BANK_CHARGES');
    const done = await act('apply', credit, '--act', 'CREDIT_RETURN');
    expect(await harness.payment(id)).toMatchObject({
      status: 'RETURNED',
      reconciliation: 'RECONCILED',
    });
    expect(await moved()).toMatchObject({ nostro: -atBank, available: 0n });
    await harness.callback({ id, reference }, { status: 'RETURNED', amount: '10.00' });
    await bank({ reference: 'ANOTHER', amount: '0.00' });
    expect(await moved()).toMatchObject({ available: 0n });
    await reverse(done);
    expect(await moved()).toMatchObject({ nostro: 1250n, available: -1000n });
  });

  it('a return of more than was sent: no more than that is the customer’s, and the rest needs an account', async () => {
    const { reference } = await harness.pay('COMPLETED');
    await bank({ reference, amount: '10.00' });
    const exception = `${await bank(back(reference, '15.00'))}/1`;
    expect((await propose('apply', exception, '--act', 'CREDIT_RETURN')).id).toBe('');
    const rest = ['--account', 'GOODWILL'];
    const more = ['--act', 'CREDIT_RETURN', ...rest, '--amount', '10.01'];
    expect((await propose('apply', exception, ...more)).id).toBe('');
    const done = await act('apply', exception, '--act', 'CREDIT_RETURN', ...rest);
    expect(await moved()).toMatchObject({ nostro: -atBank, available: 0n, suspense: 0n });
    await reverse(done);
    expect(await moved()).toMatchObject({ nostro: 1000n, available: -1000n });
  });

  it('the second part of a part return is credited, and no third one', async () => {
    const { reference } = await harness.pay('COMPLETED');
    await bank({ reference, amount: '10.00' });
    await bank(back(reference, '6.00'));
    const second = `${await bank(back(reference, '4.00'))}/1`;
    const third = `${await bank(back(reference, '4.00'))}/1`;
    const done = await act('apply', second, '--act', 'CREDIT_RETURN');
    expect(await moved()).toMatchObject({ available: 0n });
    expect((await propose('apply', third, '--act', 'CREDIT_RETURN')).id).toBe('');
    await act('apply', third, '--act', 'WRITE_OFF', '--account', 'GOODWILL');
    expect(await moved()).toMatchObject({ nostro: -atBank, available: 0n });
    await reverse(done);
    expect(await moved()).toMatchObject({ available: -400n });
  });

  it('a callback told less than the statement shows: what is in suspense leaves it', async () => {
    const paid = await harness.pay('COMPLETED');
    const { reference } = paid;
    await harness.callback(paid, { status: 'RETURNED', amount: '6.00' });
    const statement = await bank({ reference, amount: '10.00' }, back(reference, '10.00'));
    expect(await moved()).toMatchObject({ suspense: 400n, available: -400n });
    const done = await act('apply', `${statement}/2`, '--act', 'CREDIT_RETURN');
    expect(await moved()).toMatchObject({ nostro: -atBank, suspense: 0n, available: 0n });
    await reverse(done);
    expect(await moved()).toMatchObject({ nostro: -atBank, suspense: 400n, available: -400n });
  });

  it('the bank paid after the funds went back: the customer pays, and owes what is spent', async () => {
    const { id, reference } = await harness.pay('FAILED');
    const exception = `${await bank({ reference, amount: '10.00' })}/1`;
    const more = ['--act', 'RECOVER', '--amount', '10.01'];
    expect((await propose('apply', exception, ...more)).id).toBe('');
    const done = await act('apply', exception, '--act', 'RECOVER');
    expect(await moved()).toMatchObject({ nostro: -atBank, available: -1000n, receivable: 0n });
    expect(await harness.payment(id)).toMatchObject({
      status: 'FAILED',
      reconciliation: 'RECONCILED',
    });
    // The bank corrects itself after that: the customer gets back what it paid, and no more.
    const corrected = `${await bank(back(reference, '10.00'))}/1`;
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'EXCEPTION' });
    const credited = await act('apply', corrected, '--act', 'CREDIT_RETURN');
    expect(await moved()).toMatchObject({ nostro: 0n, available: 0n });
    const early = await harness.approve((await propose('reverse', done)).id);
    expect(early.printed).toContain(`Reverse act ${credited} first`);
    await reverse(credited);
    await reverse(done);
    expect(await moved()).toMatchObject({ nostro: 0n, available: 0n });
    await expectSums();
  });

  it('a debit without a mark takes a deposit back: the named customer is charged, and owes the rest', async () => {
    const other = await harness.addCustomer();
    before = await books();
    const debit = { amount: '25.00', bankReference: 'CLAWBACK-1' };
    const exception = `${await bank(debit)}/1`;
    expect((await propose('apply', exception, '--act', 'RECOVER')).id).toBe('');
    const [held] = await harness.rows<{ available: bigint }>(
      "SELECT available FROM balances WHERE customer_id = $1 AND currency = 'EUR'",
      [other.scope.customerId],
    );
    const named = ['--act', 'RECOVER', '--customer', other.scope.customerId];
    await act('apply', exception, ...named);
    expect((await harness.standing(other.scope)).available).toBe((held?.available ?? 0n) - 2500n);
    expect(await moved()).toMatchObject({ nostro: 2500n });
  });

  it('a marked return under an unknown reference is the return of the payment that is named', async () => {
    const { id, reference } = await harness.pay('COMPLETED');
    await bank({ reference, amount: '10.00' });
    const exception = `${await bank(back('UNKNOWN-REFERENCE', '10.00'))}/1`;
    expect((await propose('apply', exception, '--act', 'CREDIT_RETURN')).id).toBe('');
    await act('apply', exception, '--act', 'CREDIT_RETURN', '--payment', id);
    expect(await harness.payment(id)).toMatchObject({ status: 'RETURNED' });
    expect(await moved()).toMatchObject({ nostro: -atBank, available: 0n });
    // Then the bank sends the return under our reference: it is more money, and the customer has all of it.
    const named = `${await bank(back(reference, '10.00'))}/1`;
    expect(await moved()).toMatchObject({ available: 0n });
    expect(await isOpen(named)).toBe(true);
    expect((await propose('apply', named, '--act', 'CREDIT_RETURN')).id).toBe('');
    await act('apply', named, '--act', 'WRITE_OFF', '--account', 'GOODWILL');
    expect(await moved()).toMatchObject({ nostro: -atBank, available: 0n });
  });

  it('a second debit of one payment is written off, or acknowledged where it repeats a line', async () => {
    const { id, reference } = await harness.pay('COMPLETED');
    await bank({ reference, amount: '10.00' });
    const exception = `${await bank({ reference, amount: '10.00' })}/1`;
    const done = await act('apply', exception, '--act', 'ACKNOWLEDGE');
    expect(await moved()).toMatchObject({ nostro: 1000n });
    expect(await harness.payment(id)).toMatchObject({ reconciliation: 'RECONCILED' });
    await reverse(done);
    await act('apply', exception, '--act', 'WRITE_OFF', '--account', 'BANK_CHARGES');
    expect(await moved()).toMatchObject({ nostro: -atBank, charges: -1000n });
  });

  it('a problem of a statement is acknowledged, and nothing else', async () => {
    const ref = await harness.reconcile({ closing: '1.00', entries: [] });
    const exception = `${ref.statementId}/BALANCE_MISMATCH`;
    const writeOff = ['--act', 'WRITE_OFF', '--account', 'GOODWILL'];
    expect((await propose('apply', exception, ...writeOff)).id).toBe('');
    await act('apply', exception, '--act', 'ACKNOWLEDGE');
    expect(await isOpen(exception)).toBe(false);
  });
});

describe('a report without balances', () => {
  it('is no exception: an intraday report has none to check', async () => {
    const entries = [{ amount: '0.00' }];
    const { statementId } = await harness.reconcile({ report: 'INTRADAY', entries });
    const { printed } = await ops('exceptions', 'list');
    expect(printed).not.toContain(`${statementId}/`);
  });
});

describe('a payment without a line', () => {
  it('that is an exception again after an act is listed again, and ended again', async () => {
    const { id } = await harness.pay('COMPLETED');
    const contradict = () =>
      harness.rows(
        `UPDATE payments SET reconciliation_status = 'EXCEPTION', version = version + 1,
           reconciliation_evidence = '{"exception": "MISSING_AT_BANK"}' WHERE id = $1`,
        [id],
      );
    for (let round = 1; round <= 2; round += 1) {
      await contradict();
      expect((await ops('exceptions', 'list')).printed).toContain(id);
      await act('apply', id, '--act', 'ACKNOWLEDGE');
      expect((await ops('exceptions', 'list')).printed).not.toContain(id);
      expect(await harness.payment(id)).toMatchObject({ reconciliation: 'RECONCILED' });
    }
  });
});

describe('an operator alone', () => {
  it('ends nothing: who proposes does not approve, and an act is not done twice', async () => {
    const { reference } = await harness.pay('COMPLETED');
    const exception = `${await bank({ reference, amount: '11.00' })}/1`;
    const writeOff = ['apply', exception, '--act', 'WRITE_OFF', '--account', 'BANK_CHARGES'];
    const { id } = await propose(...writeOff);
    expect(await harness.operators.approve(id, 'ada', 'ada')).toMatchObject({ code: 1 });
    expect(await harness.approve(id)).toMatchObject({ code: 0 });
    expect(await harness.approve(id)).toMatchObject({ code: 1 });
    expect((await propose(...writeOff)).id).toBe('');
    expect(await moved()).toMatchObject({ nostro: -atBank, charges: -100n });
  });

  it('does not match a line to another customer’s payment than it names', async () => {
    const { reference } = await harness.pay('COMPLETED');
    const other = await (
      await harness.addCustomer()
    ).pay({
      fate: 'COMPLETED',
      at: harness.clock.now(),
    });
    await bank({ reference, amount: '10.00' });
    const exception = `${await bank(back(reference, '15.00'))}/1`;
    const foreign = ['--act', 'CREDIT_RETURN', '--payment', other.id, '--account', 'GOODWILL'];
    expect((await propose('apply', exception, ...foreign)).id).toBe('');
  });

  it('a line that an act has ended closes no credit', async () => {
    const deposit = harness.deposit({ amount: '7.00' });
    const [credit = ''] = await harness.arriveUnmatched(deposit);
    const debit = await harness.showDebit('7.00');
    const exception = `${String(debit.statementId)}/${String(debit.line)}`;
    const closing = await harness.proposeClosing(credit, debit);
    await act('apply', exception, '--act', 'WRITE_OFF', '--account', 'BANK_CHARGES');
    expect(await harness.approve(closing)).toMatchObject({ code: 1 });
  });
});
