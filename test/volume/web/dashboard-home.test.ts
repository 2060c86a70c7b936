import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertBankAccount } from '../../../src/db/parties/bank-account-store.ts';
import type { ScopedTransaction } from '../../../src/db/client/database.ts';
import { insertEndUser } from '../../../src/db/parties/end-user-store.ts';
import { prepareStatement } from '../../../src/db/client/prepared-statement.ts';
import { readAttention } from '../../../src/db/payments/payment-attention-store.ts';
import { completeFigures, readFigures } from '../../../src/modules/payments/payment-figures.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { seedAccepted } from '../../support/seed-accepted.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestUser } from '../../support/test-people.ts';
import { startSite } from '../../support/web/site.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;
/** Half an hour past: the open hour is a part of it. */
const NOW = new Date('2026-11-22T14:30:00.000Z');
const MANY = 1_000_000;
const FEW = 10_000;
const PART = 100_000;
/** Payments of others that wait for their operators, since the planner last looked. */
const HELD_ELSEWHERE = 3_000;
/** Payments of the open hour are counted one by one; everything else is a few rows of indexes. */
const BESIDE_THE_OPEN_HOUR = 200;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that a plan fetched from tables and indexes, those included that it then left out. */
function rowsRead(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0);
  if (!/^(Seq|Index|Index Only|Bitmap Heap|Bitmap Index) Scan$/.test(node['Node Type']))
    return below;
  return (
    below + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
  );
}

let database: TestDatabase;
let many: Scope;
let few: Scope;
/** Of the open hour, with few as with many. */
const OPEN = 500;

async function addOwner() {
  const { db } = database;
  const customerId = await db.system((tx) => addCustomer(tx));
  const scope: Scope = { customerId, environment: 'test' };
  const owner = { endUserId: `eu_${customerId}`, bankAccountId: `ba_${customerId}` };
  const personal = Buffer.alloc(40);
  await db.write(scope, async (tx) => {
    const endUser = { id: owner.endUserId, type: 'INDIVIDUAL', externalId: null } as const;
    await insertEndUser(tx, scope, { ...endUser, personal, ownerKey: personal, at: NOW });
    await insertBankAccount(tx, scope, {
      ...{ id: owner.bankAccountId, endUserId: endUser.id, country: 'DE', currency: 'EUR' },
      ...{ rail: 'SEPA', holderType: 'INDIVIDUAL', fingerprint: customerId, personal },
      ...{ bankName: null, at: NOW },
    });
  });
  return { ...owner, scope };
}

async function addPayments(count: number): Promise<Scope> {
  const { url } = database;
  const owner = await addOwner();
  // A hundred days, a day in ten of them failed; the newest hour has as many with few as with many.
  const openFrom = new Date(NOW.getTime() - HOUR_MS / 2);
  const from = NOW.getTime() - 100 * DAY_MS;
  const parts = Math.max(count / PART, 1);
  const step = (openFrom.getTime() - from) / parts;
  for (let part = 0; part < parts; part += 1) {
    await seedAccepted(url, {
      ...{ ...owner, count: count / parts, series: count === FEW ? 50 + part : part },
      ...{ from: new Date(from + part * step), until: new Date(from + (part + 1) * step) },
      status: `CASE WHEN n % 10 = 0 THEN 'FAILED' WHEN n % 10 = 1 THEN 'RETURNED' ELSE 'COMPLETED' END`,
    });
  }
  await seedAccepted(url, {
    ...{ ...owner, count: OPEN, series: count === FEW ? 98 : 99, from: openFrom, until: NOW },
  });
  return owner.scope;
}

beforeAll(async () => {
  database = await createTestDatabase();
  few = await addPayments(FEW);
  many = await addPayments(MANY);
  await database.analyze();
  await seedAccepted(database.url, {
    ...{ ...(await addOwner()), count: HELD_ELSEWHERE, series: 97, status: `'ON_HOLD'` },
    ...{ from: new Date(NOW.getTime() - HOUR_MS / 2), until: NOW },
  });
}, 600_000);
afterAll(() => database.close());

const textOf = (value: unknown): string =>
  value instanceof Date ? value.toISOString() : String(value);

/** Looks until nothing is left to be summed. */
async function sumAll(scope: Scope): Promise<void> {
  for (let isPartial = true; isPartial;) {
    const sums = await database.people.read(scope, (tx) => readFigures(tx, scope, NOW, 30));
    const days = await completeFigures(database.people, scope, sums, NOW, 30);
    isPartial = days.some((day) => day.isPartial);
  }
}

async function cost(scope: Scope, mode: string) {
  return database.people.read(scope, async (tx) => {
    await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
    const plans: PlanNode[] = [];
    const explained: ScopedTransaction = {
      ...tx,
      async query<Row extends object>(text: string, values?: Parameters<typeof tx.query>[1]) {
        const statement = prepareStatement(text, values);
        const name = `home_${String(plans.length)}`;
        const given = (statement.values ?? []).map((value) => pg.escapeLiteral(textOf(value)));
        await tx.query(`PREPARE ${name} AS ${statement.text}`);
        const [row] = await tx.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${name} (${given.join(', ')})`,
        );
        await tx.query(`DEALLOCATE ${name}`);
        plans.push(...(row?.['QUERY PLAN'] ?? []).map(({ Plan }) => Plan));
        return tx.query<Row>(text, values);
      },
    };
    const sums = await readFigures(explained, scope, NOW, 30);
    const since = new Date(NOW.getTime() - 7 * DAY_MS);
    const attention = await readAttention(explained, scope, since, NOW);
    return {
      sums,
      attention,
      rows: plans.reduce((sum, plan) => sum + rowsRead(plan), 0),
      buffers: plans.reduce(
        (sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
        0,
      ),
    };
  });
}

describe.each(['force_custom_plan', 'force_generic_plan'])('home by a %s', (mode) => {
  it('reads as little with 1,000,000 payments as with 10,000', async () => {
    await sumAll(few);
    await sumAll(many);
    const [small, large] = [await cost(few, mode), await cost(many, mode)];
    // Not for want of something to read.
    expect(small.attention.payments).toHaveLength(10);
    expect(large.attention.payments).toHaveLength(10);
    for (const { rows } of [small, large]) {
      expect(rows).toBeGreaterThanOrEqual(OPEN);
      expect(rows).toBeLessThanOrEqual(OPEN + BESIDE_THE_OPEN_HOUR);
    }
    expect(large.buffers).toBeLessThanOrEqual(2 * small.buffers);
    const total = large.sums.kept.reduce(
      (sum, { hours, sums }) => sum + (hours === 24 ? BigInt(sums['EUR']?.payments ?? 0) : 0n),
      0n,
    );
    // 29 days of a hundred.
    expect(Number(total)).toBeGreaterThan(0.28 * MANY);
    expect(Number(total)).toBeLessThan(0.3 * MANY);
  });
});

/** So many looks at each, in turn; the middle one counts. */
const LOOKS = 41;

const median = (times: readonly number[]): number =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? NaN;

it('the page of home is there with 1,000,000 payments, and how long it takes is printed', async () => {
  const site = await startSite('dashboard', { on: { database, clock: createTestClock(NOW) } });
  try {
    const visits = [];
    for (const scope of [few, many]) {
      const user = await addTestUser(site.people, scope.customerId, 'OWNER');
      visits.push({ cookie: await site.logIn(user.id), times: [] as number[] });
    }
    for (let look = 0; look < LOOKS; look += 1) {
      for (const { cookie, times } of visits) {
        const begun = performance.now();
        const { status, body } = await site.get('/test/home', cookie);
        times.push(performance.now() - begun);
        expect(status).toBe(200);
        expect(body).toContain('30 days');
      }
    }
    const [few10000 = NaN, many1000000 = NaN] = visits.map(({ times }) => median(times));
    console.log(JSON.stringify({ few10000, many1000000, ratio: many1000000 / few10000 }));
  } finally {
    await site.close();
  }
});
