import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { balancesMatchEntries } from '../../../src/cli/verify/balances-match-entries.ts';
import { positionFollowsQuotes } from '../../../src/cli/verify/fx-position.ts';
import { ledgerSumsToZero } from '../../../src/cli/verify/ledger-sums-to-zero.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { findApproval } from '../../../src/db/approvals/approval-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { listUnresolvedStatementExceptions } from '../../../src/db/reconciliation/statement-exception-store.ts';
import { formatAmount } from '../../../src/domain/money/amount.ts';
import type { Environment } from '../../../src/domain/scope.ts';
import { whatIsApproved } from '../../../src/modules/approvals/what-is-approved.ts';
import { createOpsCommands } from '../../support/cli/ops/ops-commands.ts';
import {
  createDecidingHarness,
  type DecidingHarness,
} from '../../support/reconciliation/deciding-harness.ts';
import type { EntryDraft, StatementDraft } from '../../support/reconciliation/statement-xml.ts';

let harness: DecidingHarness;
let ops: ReturnType<typeof createOpsCommands>;
let trades = 0;
/** What the bank's statements of a test moved, minor units by currency: positive came in. */
let atBank: Record<string, bigint> = {};
let before: Awaited<ReturnType<typeof books>>;
beforeAll(async () => {
  harness = await createDecidingHarness();
  ops = createOpsCommands(harness.commands, harness.clock);
});
afterAll(() => harness.close());
afterAll(async () => {
  await harness.expectBooksToHold();
  const connection = await connectToVerify(harness.url);
  try {
    const found = await connection.snapshot(async (reader) => [
      await ledgerSumsToZero(reader),
      await balancesMatchEntries(reader),
      await positionFollowsQuotes(reader),
    ]);
    expect(found.flatMap(({ samples }) => samples)).toEqual([]);
  } finally {
    await connection.close();
  }
});
beforeEach(async () => {
  atBank = {};
  before = await books();
});

/** What the accounts of the bank, suspense, charges and customers hold in the test environment, by currency. */
async function books() {
  const rows = await harness.rows<{ name: string; minor: bigint }>(
    `SELECT currency || ' ' || split_part(account, ':', 1) AS name, sum(amount)::bigint AS minor
     FROM ledger_entries WHERE environment = 'test' AND currency IN ('EUR', 'USD')
       AND (account LIKE 'nostro:%' OR account IN ('suspense', 'bank_charges', 'available'))
     GROUP BY 1`,
  );
  return new Map(rows.map(({ name, minor }) => [name, minor]));
}

/** What changed since the test began, without what did not. */
async function moved(): Promise<Record<string, bigint>> {
  const changes = [...(await books())].map(
    ([name, minor]) => [name, minor - (before.get(name) ?? 0n)] as const,
  );
  return Object.fromEntries(changes.filter(([, minor]) => minor !== 0n));
}

/** The books have what the bank has: their accounts of it are minus what it holds. */
const asAtBank = (): Record<string, bigint> =>
  Object.fromEntries(
    Object.entries(atBank).map(([currency, minor]) => [`${currency} nostro`, -minor]),
  );

interface Recorded {
  readonly reference: string;
  /** Major units, in USD and in EUR. */
  readonly sold: string;
  readonly bought: string;
}

async function proposalIn(printed: Promise<{ printed: string }>) {
  const said = (await printed).printed;
  return { printed: said, id: /apr_[0-9a-z]+/.exec(said)?.[0] ?? '' };
}

const BY = ['--reason', 'the bank confirmed it', '--operator', 'ada'];

/** A trade of amounts that no other one has: 1,000.00 USD and more for 900.00 EUR and more. */
async function record(environment: Environment = 'test'): Promise<Recorded> {
  trades += 1;
  const cents = BigInt(trades * 7);
  const [sold, bought] = [
    formatAmount(100_000n + cents, 'USD'),
    formatAmount(90_000n + cents, 'EUR'),
  ];
  const reference = `T-${String(4_700 + trades)}`;
  const what = ['--sold', `${sold} USD`, '--sold-from', 'ACH', '--bought', `${bought} EUR`];
  const { id, printed } = await proposalIn(
    ops(
      ...['fx', 'cover', '--environment', environment, '--reference', reference],
      ...[...what, '--bought-to', 'SEPA', ...BY],
    ),
  );
  expect(id, printed).not.toBe('');
  expect(await harness.approve(id)).toMatchObject({ code: 0 });
  return { reference, sold, bought };
}

const more = (amount: string, by: bigint): string =>
  formatAmount(BigInt(amount.replace('.', '')) + by, 'EUR');

/** A statement with one line; answers its id. `isSeen`: another report has shown the booking. */
async function shows(
  entry: EntryDraft,
  { currency = 'USD', report = 'DAY' }: Partial<Pick<StatementDraft, 'currency' | 'report'>> = {},
  isSeen = false,
): Promise<string> {
  const draft = { bankReference: newId('back'), ...entry };
  const minor = BigInt(draft.amount.replace('.', ''));
  if (!isSeen) {
    atBank[currency] = (atBank[currency] ?? 0n) + (draft.direction === 'CRDT' ? minor : -minor);
  }
  const { statementId } = await harness.reconcile({ currency, report, entries: [draft] });
  return `${statementId}/1`;
}

/** The credit that a new statement brings. */
async function arrives(amount: string, over: Partial<EntryDraft> = {}, currency = 'EUR') {
  return creditOf(await shows({ amount, direction: 'CRDT', ...over }, { currency }));
}

async function creditOf(line: string): Promise<string> {
  const [row] = await harness.rows<{ id: string }>(
    `SELECT credit_id AS id FROM statement_lines WHERE statement_id || '/' || line = $1`,
    [line],
  );
  return row?.id ?? '';
}

const tieLine = (line: string, trade: string, ...others: string[]) =>
  proposalIn(
    ops('exceptions', 'apply', line, '--act', 'TIE_TRADE', '--trade', trade, ...others, ...BY),
  );
const tieCredit = (credit: string, trade: string) =>
  proposalIn(ops('credits', 'tie', credit, '--trade', trade, ...BY));

/** Two operators do it; answers the act. */
async function done(proposal: Promise<{ id: string; printed: string }>): Promise<string> {
  const { id, printed } = await proposal;
  expect(id, printed).not.toBe('');
  const approved = await harness.approve(id);
  expect(approved, approved.printed).toMatchObject({ code: 0 });
  return /exa_[0-9a-z]+/.exec(approved.printed)?.[0] ?? '';
}

const reverse = (act: string) => proposalIn(ops('exceptions', 'reverse', act, ...BY));
const isOpen = async (line: string) =>
  (await ops('exceptions', 'show', line)).printed.includes('OPEN');

/** A trade whose lines the bank has shown, with charges. */
async function shown({ kept = 0n, taken = 0n } = {}) {
  const trade = await record();
  return {
    ...trade,
    debit: await shows({ amount: more(trade.sold, taken) }),
    credit: await arrives(more(trade.bought, -kept)),
  };
}

describe('a cover trade on statements of the bank', () => {
  it('is in the books once: both of its lines are tied, and no customer is credited', async () => {
    const { reference, debit, credit } = await shown();
    await done(tieLine(debit, reference));
    await done(tieCredit(credit, reference));
    expect(await moved()).toEqual(asAtBank());
    expect(await harness.credit(credit)).toMatchObject({ outcome: 'TIED', customerId: null });
    expect(await isOpen(debit)).toBe(false);
    expect((await harness.unmatched()).map(({ id }) => id)).not.toContain(credit);
    const unresolved = await harness.db.system((tx) =>
      listUnresolvedStatementExceptions(tx, 1_000),
    );
    const lines = unresolved.map(
      ({ statementId, line }) => `${String(statementId)}/${String(line)}`,
    );
    expect(lines).not.toContain(debit);
  });

  it('has charges of the bank: what it kept, what it took more, and what it took beside', async () => {
    const { reference, debit, credit } = await shown({ kept: 500n, taken: 350n });
    const beside = await shows({ amount: '7.50' });
    for (const line of [debit, beside]) await done(tieLine(line, reference));
    await done(tieCredit(credit, reference));
    expect(await moved()).toEqual({
      ...asAtBank(),
      'EUR bank_charges': -500n,
      'USD bank_charges': -1_100n,
    });
  });

  it('is untied by the reversal of its acts, once, and can be tied again', async () => {
    const { reference, debit, credit } = await shown({ kept: 1n, taken: 1n });
    const untied = await moved();
    const acts = [await done(tieLine(debit, reference)), await done(tieCredit(credit, reference))];
    for (const act of acts) await done(reverse(act));
    expect(await moved()).toEqual(untied);
    expect(await harness.credit(credit)).toMatchObject({ outcome: null });
    expect(await isOpen(debit)).toBe(true);
    for (const act of acts) expect((await reverse(act)).id).toBe('');
    await done(tieLine(debit, reference));
    await done(tieCredit(credit, reference));
    expect(await moved()).toEqual({
      ...asAtBank(),
      'EUR bank_charges': -1n,
      'USD bank_charges': -1n,
    });
  });

  it('has each of its parts once', async () => {
    const { reference, sold, bought, debit, credit } = await shown();
    const again = await shows({ amount: sold });
    const other = await arrives(bought);
    const act = await done(tieLine(debit, reference));
    await done(tieCredit(credit, reference));
    expect((await tieLine(again, reference)).printed).toContain(act);
    expect((await tieCredit(other, reference)).printed).toContain('BOUGHT');
  });

  it('has each of its parts once of two acts at one moment', async () => {
    const { reference, sold, debit } = await shown();
    const again = await shows({ amount: sold });
    const [one, two] = [await tieLine(debit, reference), await tieLine(again, reference)];
    const approved = await Promise.all([harness.approve(one.id), harness.approve(two.id)]);
    expect(approved.map(({ code }) => code).toSorted()).toEqual([0, 1]);
    expect(approved.map(({ error }) => error).join('')).toContain('Another line was tied');
  });

  it('is no customer’s of a tie and an assignment at one moment', async () => {
    const { reference, credit } = await shown();
    const tie = await tieCredit(credit, reference);
    const assignment = await harness.proposeAssignment(credit);
    const codes = await Promise.all(
      [tie.id, assignment].map(async (id) => (await harness.approve(id)).code),
    );
    expect(codes.toSorted()).toEqual([0, 1]);
    const suspense = (await moved())['EUR suspense'];
    expect(suspense).toBeUndefined();
  });

  it('takes two operators', async () => {
    const { reference, credit } = await shown();
    const { id } = await tieCredit(credit, reference);
    const approval = await harness.people.system((tx) => findApproval(tx, id));
    if (approval === null) throw new Error('no approval');
    expect(whatIsApproved(approval)).toBe(`${credit} is tied to cover trade ${reference}`);
    expect(await harness.operators.approve(id, 'ada')).toMatchObject({ code: 1 });
    expect(await harness.credit(credit)).toMatchObject({ outcome: null });
  });
});

describe('a line that shows no part of the trade', () => {
  it.each<[string, (trade: Recorded) => Promise<string>, RegExp]>([
    [
      'a debit of more than charges',
      ({ sold }) => shows({ amount: more(sold, 4_001n) }),
      /40\.00 USD/,
    ],
    ['a debit of less', ({ sold }) => shows({ amount: more(sold, -1n) }), /less than was sold/],
    [
      'a debit beside it of more than charges',
      () => shows({ amount: '40.01' }),
      /less than was sold/,
    ],
    [
      'a debit of what was bought',
      ({ bought }) => shows({ amount: bought }, { currency: 'EUR' }),
      /other direction/,
    ],
    ['another currency', () => shows({ amount: '10.00' }, { currency: 'GBP' }), /in GBP/],
    [
      'a mark of a return',
      ({ sold }) => shows({ amount: sold, reversal: true }),
      /marks the line as a return/,
    ],
  ])('is refused in words: %s', async (_what, line, why) => {
    const trade = await record();
    const { id, printed } = await tieLine(await line(trade), trade.reference);
    expect(id).toBe('');
    expect(printed).toMatch(why);
  });

  it.each<[string, (trade: Recorded) => Promise<string>, RegExp]>([
    ['more than was bought', ({ bought }) => arrives(more(bought, 1n)), /more than was bought/],
    ['less by more than charges', ({ bought }) => arrives(more(bought, -2_501n)), /25\.00 EUR/],
    ['the sold currency', ({ sold }) => arrives(sold, {}, 'USD'), /other direction/],
  ])('is refused in words: a credit of %s', async (_what, credit, why) => {
    const trade = await record();
    const { id, printed } = await tieCredit(await credit(trade), trade.reference);
    expect(id).toBe('');
    expect(printed).toMatch(why);
  });

  it('is refused of a trade that is not recorded, or is of the other environment', async () => {
    const { reference, sold } = await record('live');
    const line = await shows({ amount: sold });
    expect((await tieLine(line, reference)).printed).toContain('other environment');
    expect((await tieLine(line, 'T-NONE')).printed).toContain('There is no cover trade T-NONE');
  });

  it('is refused of a trade that the opposite one has undone, also between the two operators', async () => {
    const trade = await record();
    const line = await shows({ amount: trade.sold });
    const waiting = await tieLine(line, trade.reference);
    const sold = ['--sold', `${trade.bought} EUR`, '--sold-from', 'SEPA'];
    const bought = ['--bought', `${trade.sold} USD`, '--bought-to', 'ACH'];
    const undo = await proposalIn(
      ops(
        ...['fx', 'cover', '--environment', 'test', '--reference', 'T-UNDO'],
        ...[...sold, ...bought, ...BY],
      ),
    );
    expect(await harness.approve(undo.id)).toMatchObject({ code: 0 });
    expect((await harness.approve(waiting.id)).error).toContain('T-UNDO');
    expect((await tieLine(line, trade.reference)).printed).toContain('T-UNDO');
    expect((await tieLine(line, 'T-UNDO')).id).toBe('');

    const again = await proposalIn(
      ops(
        ...['fx', 'cover', '--environment', 'test', '--reference', 'T-AGAIN'],
        ...['--sold', `${trade.sold} USD`, '--sold-from', 'ACH'],
        ...['--bought', `${trade.bought} EUR`, '--bought-to', 'SEPA', ...BY],
      ),
    );
    expect(await harness.approve(again.id)).toMatchObject({ code: 0 });
    expect((await tieLine(line, trade.reference)).printed).toContain('T-UNDO');
    await done(tieLine(line, 'T-AGAIN'));
  });

  it('is refused of a payment, or with what other acts take', async () => {
    const { reference, sold } = await record();
    const line = await shows({ amount: sold });
    expect((await tieLine(line, reference, '--account', 'GOODWILL')).id).toBe('');
    const failed = await harness.pay('FAILED');
    const late = await shows({ amount: sold, reference: failed.reference });
    expect((await tieLine(late, reference)).id).toBe('');
  });
});

describe('a line that something else explains', () => {
  it('is refused once another act or a credit has ended it, also between the two operators', async () => {
    const { reference, debit, credit } = await shown();
    const [line, money] = [await tieLine(debit, reference), await tieCredit(credit, reference)];
    const goodwill = ['--act', 'WRITE_OFF', '--account', 'GOODWILL'];
    expect(await harness.approve(await harness.proposeAssignment(credit))).toMatchObject({
      code: 0,
    });
    expect(await harness.approve(money.id)).toMatchObject({ code: 1 });
    await done(Promise.resolve(line));
    const ended = await proposalIn(ops('exceptions', 'apply', debit, ...goodwill, ...BY));
    expect(ended.id).toBe('');
  });

  it('is one booking on two reports: the second line is not tied to another trade, and not written off', async () => {
    const [one, other] = [await record(), await record()];
    const entry = { amount: more(other.sold, 0n), bankReference: newId('back') };
    const intraday = await shows(entry, { report: 'INTRADAY' });
    const day = await shows(entry, {}, true);
    // Of either trade it is the sold side, within what counts as charges.
    const act = await done(tieLine(intraday, one.reference));
    expect((await tieLine(day, other.reference)).printed).toContain(act);
    const goodwill = ['--act', 'WRITE_OFF', '--account', 'GOODWILL'];
    const written = await proposalIn(ops('exceptions', 'apply', day, ...goodwill, ...BY));
    expect(written.printed).toContain(act);
  });

  it('is no credit that another report shows as the return of a payment, also between the two operators', async () => {
    const trade = await record();
    const { reference } = await harness.pay('COMPLETED', {
      amount: BigInt(trade.bought.replace('.', '')),
    });
    await shows({ amount: trade.bought, reference }, { currency: 'EUR' });
    // The first report does not mark the return: it shows a credit of nobody.
    const entry = { amount: trade.bought, direction: 'CRDT', reference } as const;
    const bankReference = newId('back');
    const intraday = { currency: 'EUR', report: 'INTRADAY' } as const;
    const line = await shows({ ...entry, bankReference }, intraday);
    const credit = await creditOf(line);
    const tie = await tieCredit(credit, trade.reference);
    await shows({ ...entry, bankReference, returnReason: 'AC04' }, { currency: 'EUR' }, true);
    expect(await harness.approve(tie.id)).toMatchObject({ code: 1 });
    expect((await tieCredit(credit, trade.reference)).printed).toContain('the return of payment');
  });

  it('is not taken out of suspense a second time when the bank takes the credit back', async () => {
    const trade = await record();
    const bankReference = newId('back');
    const credit = await arrives(trade.bought, { bankReference });
    const act = await done(tieCredit(credit, trade.reference));
    const taken = { amount: trade.bought, bankReference, reversal: true };
    const back = await shows(taken, { currency: 'EUR' });
    expect(await isOpen(back)).toBe(true);
    expect(await harness.credit(credit)).toMatchObject({ outcome: 'TIED' });
    // As a release that does not know ties would.
    const taking = harness.rows(
      `INSERT INTO credit_reversals (credit_id, environment, connector, booking_key, occurrence, statement_id, line,
         received_at, ledger_transaction_id)
       SELECT id, environment, connector, decode(repeat('00', 32), 'hex'), 1, statement_id, line, received_at, 'ltx_none'
       FROM incoming_credits WHERE id = $1`,
      [credit],
    );
    await expect(taking).rejects.toThrow(/tied to a cover trade/);
    await done(reverse(act));
    expect((await moved())['EUR suspense']).toBe(BigInt(trade.bought.replace('.', '')));
  });
});

describe('the reference of a trade on a line', () => {
  it('suggests the tie of a debit, and one approval ends it', async () => {
    const trade = await record();
    const line = await shows({ amount: more(trade.sold, 250n), reference: trade.reference });
    const kind = ['--kind', 'UNEXPECTED_AT_BANK', '--environment', 'test'];
    const suggested = (await ops('exceptions', 'suggest', ...kind)).printed;
    expect(suggested).toMatch(new RegExp(`${line} .*cover-trade +TIE_TRADE`));
    const set = await proposalIn(
      ops('exceptions', 'propose', ...kind, '--rule', 'cover-trade', ...BY),
    );
    expect(await harness.approve(set.id)).toMatchObject({ code: 0 });
    expect(await isOpen(line)).toBe(false);
    expect((await moved())['USD bank_charges']).toBe(-250n);
  });

  it('suggests none over the charges of the rule, or once another line shows that part', async () => {
    const trade = await record();
    const { reference } = trade;
    const over = await shows({ amount: more(trade.sold, 4_001n), reference });
    const first = await shows({ amount: trade.sold, bankReference: reference });
    await done(tieLine(first, reference));
    const later = await shows({ amount: more(trade.sold, 1n), reference });
    const suggested = (await ops('exceptions', 'suggest', '--environment', 'test')).printed;
    for (const line of [over, later]) expect(suggested).not.toContain(`${line} `);
  });

  it('is shown beside the credit, until it is tied', async () => {
    const trade = await record();
    const credit = await arrives(trade.bought, { reference: trade.reference });
    const listed = async () => (await ops('credits', 'list')).printed;
    expect(await listed()).toMatch(new RegExp(`${credit} .*${trade.reference}`));
    const act = await done(tieCredit(credit, trade.reference));
    expect(await listed()).not.toContain(trade.reference);
    expect((await ops('credits', 'show', credit)).printed).toContain(act);
  });
});
