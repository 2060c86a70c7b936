import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayOf, dayText } from '../../../src/domain/ledger/statement-day.ts';
import { parseCamt053 } from '../../../src/adapters/iso20022/camt053.ts';
import type { StatementPart } from '../../../src/adapters/iso20022/statement-parts.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { post, stepsOf } from '../../support/ledger-history.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

interface Owner {
  readonly scope: Scope;
  readonly token: string;
}

async function addOwner(): Promise<Owner> {
  const { db } = harness.database;
  const customerId = await db.system((tx) => addCustomer(tx));
  const key = await db.system((tx) => addApiKey(tx, harness.vault, { customerId }));
  return { scope: { customerId, environment: 'test' }, token: key.token };
}

const get = (url: string, token = harness.token) =>
  harness.app.inject({ url: `/api/v1${url}`, headers: { authorization: `Bearer ${token}` } });

interface Statement {
  readonly date: string;
  readonly openingBalance: string;
  readonly closingBalance: string;
  readonly closing: Readonly<Record<string, string>>;
  readonly entries: readonly {
    readonly id: string;
    readonly type: string;
    readonly amount: string;
    readonly balanceAfter: string;
  }[];
  readonly entryCount: number;
  readonly totalCredits: string;
  readonly totalDebits: string;
}

const minor = (text: string): bigint => BigInt(text.replace('.', ''));

/** A statement in its three forms, which must say the same. */
async function readStatement(owner: Owner, currency: string, date: string): Promise<Statement> {
  const url = `/balance-statements/${currency}/${date}`;
  const json = await get(url, owner.token);
  expect(json.statusCode, json.body).toBe(200);
  const statement = json.json<Statement>();
  const amounts = statement.entries.map(({ amount }) => amount);

  const csv = await get(`${url}?format=csv`, owner.token);
  expect(csv.headers['content-type']).toContain('text/csv');
  const [header = '', opening = '', ...rows] = csv.body.split('\r\n').slice(0, -1);
  const column = (row: string, name: string) => row.split(',')[header.split(',').indexOf(name)];
  const closing = rows.pop() ?? '';
  expect(rows.map((row) => column(row, 'amount'))).toEqual(amounts);
  expect([opening, closing].map((row) => column(row, 'balanceAfter'))).toEqual([
    statement.openingBalance,
    statement.closingBalance,
  ]);

  const xml = await get(`${url}?format=camt.053`, owner.token);
  const parts: StatementPart[] = [];
  const pieces = (async function* () {
    yield xml.body;
  })();
  for await (const part of parseCamt053(pieces)) parts.push(part);
  const signed = ({ amount, direction }: { amount: string; direction: string }) =>
    direction === 'DBIT' ? -minor(amount) : minor(amount);
  expect(parts.filter((part) => part.kind === 'problem')).toEqual([]);
  expect(parts.flatMap((part) => (part.kind === 'line' ? [signed(part)] : []))).toEqual(
    amounts.map(minor),
  );
  expect(
    parts.flatMap((part) => (part.kind === 'balance' ? [[part.type, signed(part)]] : [])),
  ).toEqual([
    ['OPBD', minor(statement.openingBalance)],
    ['CLBD', minor(statement.closingBalance)],
  ]);
  return statement;
}

const CURRENCIES = ['EUR', 'JPY', 'KWD'] as const;
const story = fc.record({
  story: fc.constantFrom('DEPOSIT', 'PAID', 'FAILED', 'RETURNED', 'HELD'),
  currency: fc.constantFrom(...CURRENCIES),
  amount: fc.bigInt(1n, 5_000n),
  fees: fc.array(fc.bigInt(1n, 90n), { maxLength: 2 }),
  isConverted: fc.boolean(),
});
/** Hours from one step to the next, and how wrong the clock of the process is, in minutes. */
const pace = fc.record({
  hours: fc.integer({ min: 0, max: 9 }),
  skew: fc.integer({ min: -4, max: 4 }),
});
/** Statements of what is over are read in between. */
const history = fc.array(fc.tuple(story, pace, fc.boolean()), { minLength: 3, maxLength: 9 });

describe('daily statements of any history', () => {
  it('add up, follow on one another, agree in all their forms, and stay as they were read', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (moves) => {
        const owner = await addOwner();
        const { db } = harness.database;
        const start = harness.clock.now();
        const fund = (currency: string) =>
          stepsOf({ story: 'DEPOSIT', currency, amount: 40_000n, fees: [], isConverted: false });
        for (const currency of CURRENCIES) await post(db, owner.scope, fund(currency), start);
        const read = new Map<string, Statement>();
        const readOver = async (last: number) => {
          for (const currency of CURRENCIES) {
            for (let day = dayOf(start); day <= last; day += 1) {
              const name = `${currency} ${dayText(day)}`;
              const statement = await readStatement(owner, currency, dayText(day));
              expect(read.get(name) ?? statement).toEqual(statement);
              read.set(name, statement);
            }
          }
        };
        for (const [terms, { hours, skew }, isRead] of moves) {
          for (const step of stepsOf(terms)) {
            harness.clock.advance(hours * 3_600_000);
            const at = new Date(harness.clock.now().getTime() + skew * 60_000);
            await post(db, owner.scope, [step], at);
          }
          if (isRead) await readOver(dayOf(harness.clock.now()) - 2);
        }
        harness.clock.advance(2 * DAY_MS);
        // A day's statement comes five minutes after midnight.
        const last = dayOf(new Date(harness.clock.now().getTime() - 6 * 60_000)) - 1;
        await readOver(last);

        for (const currency of CURRENCIES) {
          let balance = 0n;
          for (let day = dayOf(start); day <= last; day += 1) {
            const one = read.get(`${currency} ${dayText(day)}`);
            if (one === undefined) throw new Error('a statement is missing');
            expect(minor(one.openingBalance)).toBe(balance);
            for (const { amount, balanceAfter } of one.entries) {
              balance += minor(amount);
              expect(minor(balanceAfter)).toBe(balance);
            }
            expect(minor(one.closingBalance)).toBe(balance);
            expect(Object.values(one.closing).reduce((sum, part) => sum + minor(part), 0n)).toBe(
              balance,
            );
            expect(one.entryCount).toBe(one.entries.length);
            expect(minor(one.totalCredits) + minor(one.totalDebits)).toBe(
              minor(one.closingBalance) - minor(one.openingBalance),
            );
          }
          const rows = (await get('/balances', owner.token)).json<{
            data: { currency: string; available: string; reserved: string }[];
          }>().data;
          const now = rows.find((row) => row.currency === currency);
          expect(minor(now?.available ?? '') + minor(now?.reserved ?? '')).toBe(balance);
        }
      }),
      { numRuns: 3 },
    );
  });
});

describe('a statement', () => {
  let owner: Owner;
  let date: string;
  beforeAll(async () => {
    owner = await addOwner();
    const { db } = harness.database;
    const terms = { currency: 'EUR', fees: [], isConverted: false };
    date = dayText(dayOf(harness.clock.now()));
    await post(
      db,
      owner.scope,
      stepsOf({ ...terms, story: 'DEPOSIT', amount: 10_000n }),
      harness.clock.now(),
    );
    await post(
      db,
      owner.scope,
      stepsOf({ ...terms, story: 'HELD', amount: 700n }),
      harness.clock.now(),
    );
    const paid = stepsOf({ ...terms, story: 'RETURNED', amount: 1_000n, fees: [25n, 5n] });
    for (const step of paid) await post(db, owner.scope, [step], harness.clock.now());
  });

  it('of a day that is not over is refused, until five minutes after its end', async () => {
    const url = `/balance-statements/EUR/${date}`;
    const end = Date.parse(`${date}T00:00:00Z`) + DAY_MS + 5 * 60_000;
    harness.clock.advance(end - 1 - harness.clock.now().getTime());
    const refused = await get(url, owner.token);
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([
      409,
      'statement_not_closed',
    ]);
    expect((await get('/balance-statements?currency=EUR', owner.token)).json()).toMatchObject({
      data: [],
    });
    harness.clock.advance(1);
    expect((await get(url, owner.token)).statusCode).toBe(200);
  });

  it('shows what the bank shows: a payment and its fees, and no hold', async () => {
    const { entries, ...rest } = await readStatement(owner, 'EUR', date);
    expect(
      entries.map(({ type, amount, balanceAfter }) => `${type} ${amount} ${balanceAfter}`),
    ).toEqual([
      'DEPOSIT 100.00 100.00',
      'PAYMENT -10.00 90.00',
      'FEE -0.30 89.70',
      'PAYMENT_RETURN 10.00 99.70',
    ]);
    expect(rest).toMatchObject({
      ...{ currency: 'EUR', date, openingBalance: '0.00', closingBalance: '99.70' },
      closing: { available: '92.70', reserved: '7.00', pending: '0.00', receivable: '0.00' },
      ...{ entryCount: 4, totalCredits: '110.00', totalDebits: '-10.30' },
    });
    const first = await get(`/balance-transactions/${entries[0]?.id ?? ''}`, owner.token);
    expect(first.json()).toMatchObject({ type: 'DEPOSIT', amount: '100.00' });
  });

  it('of a day without bookings ends as it began, and the list goes on from page to page', async () => {
    harness.clock.advance(4 * DAY_MS);
    const next = dayText(dayOf(new Date(`${date}T00:00:00Z`)) + 2);
    expect(await readStatement(owner, 'EUR', next)).toMatchObject({
      ...{ openingBalance: '99.70', closingBalance: '99.70', entries: [], entryCount: 0 },
    });
    const seen: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer = await get(`/balance-statements?currency=EUR&limit=2${from}`, owner.token);
      const page: { data: { date: string }[]; nextCursor: string | null } = answer.json();
      seen.push(...page.data.map((row) => row.date));
      cursor = page.nextCursor;
    }
    const first = dayOf(new Date(`${date}T00:00:00Z`));
    expect(seen).toEqual([4, 3, 2, 1, 0].map((later) => dayText(first + later)));
    const some = await get(`/balance-statements?currency=EUR&from=${next}&to=${next}`, owner.token);
    expect(some.json()).toMatchObject({ data: [{ date: next }], hasMore: false });
  });

  it('is of no other customer or environment, and starts with the first booking', async () => {
    const stranger = await addOwner();
    const missing = await get(`/balance-statements/EUR/${date}`, stranger.token);
    expect(missing.statusCode).toBe(404);
    const before = dayText(dayOf(new Date(`${date}T00:00:00Z`)) - 1);
    expect((await get(`/balance-statements/EUR/${before}`, owner.token)).statusCode).toBe(404);
    expect((await get(`/balance-statements/GBP/${date}`, owner.token)).statusCode).toBe(404);
    const live = await harness.database.db.system((tx) =>
      addApiKey(tx, harness.vault, {
        ...{ customerId: owner.scope.customerId, environment: 'live' as const },
        approvedRanges: ['127.0.0.1/32'],
      }),
    );
    expect((await get(`/balance-statements/EUR/${date}`, live.token)).statusCode).toBe(404);
    expect((await get('/balance-statements?currency=EUR', live.token)).json()).toMatchObject({
      data: [],
    });
  });

  it.each([
    ['/EUR/2026-02-30', 'invalid_parameter'],
    ['/EUR/20260101', 'invalid_parameter'],
    ['/eur/2026-01-01', 'unsupported_currency'],
    ['/EUR/2026-01-01?format=pdf', 'invalid_parameter'],
    ['?currency=EUR&from=2026-13-01', 'invalid_parameter'],
    ['?from=2026-01-01', 'invalid_parameter'],
  ])('refuses %s with %s', async (path, error) => {
    const answer = await get(`/balance-statements${path}`, owner.token);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([400, error]);
  });
});
