import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScopedTransaction } from '../../../src/db/client/database.ts';
import {
  readEndpointHealth,
  type EndpointHealthRow,
} from '../../../src/db/webhooks/endpoint-health-store.ts';
import { startEndpointHarness } from '../../support/webhooks/endpoint-harness.ts';

const DELIVERIES = 60_000;
/** Every so many of them waits; the others are delivered. */
const WAITS_EVERY = 2_000;
const WAITING = DELIVERIES / WAITS_EVERY;
/** Then so many more come, of which none is delivered. */
const OUTAGE = 15_000;
const PART = 1_000;
/** The attempts that the median is of, and the newest success. */
const ATTEMPTS_READ = 100 + 1;

let harness: Awaited<ReturnType<typeof startEndpointHarness>>;
let endpointId: string;
beforeAll(async () => {
  harness = await startEndpointHarness();
  endpointId = (await harness.addEndpoint()).id;
});
afterAll(() => harness.close());

/** In parts: no statement may take longer than those of the product. */
async function addDeliveries(from: number, to: number, waitsEvery: number): Promise<void> {
  const { db, scope, clock, url } = harness;
  const own = [scope.customerId, scope.environment];
  const at = clock.now();
  for (let last = from + PART - 1; last <= to; last += PART) {
    const part = { own, at, first: last - PART + 1, last, waitsEvery };
    await db.write(scope, (tx) => addPart(tx, part));
  }
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query('ANALYZE webhook_deliveries, webhook_attempts').finally(() => owner.end());
}

interface Part {
  /** Customer and environment. */
  readonly own: readonly string[];
  readonly at: Date;
  readonly first: number;
  readonly last: number;
  readonly waitsEvery: number;
}

async function addPart(
  tx: ScopedTransaction,
  { own, at, first, last, waitsEvery }: Part,
): Promise<void> {
  await tx.query(
    `INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
       resource_version, body, created_at)
     SELECT 'evt_many' || n, $1, $2, 'payment.updated', 'payment', 'pay_' || n, 1, '{}', $3
     FROM generate_series($4::integer, $5::integer) n`,
    [...own, at, first, last],
  );
  await tx.query(
    `INSERT INTO webhook_deliveries (customer_id, environment, endpoint_id, event_id, resource_id,
       resource_version, next_attempt_at, status, attempts)
     SELECT $1, $2, $3, 'evt_many' || n, 'pay_' || n, 1, $4::timestamptz,
       CASE WHEN n % $7::integer = 0 THEN 'PENDING' ELSE 'DELIVERED' END, 1
     FROM generate_series($5::integer, $6::integer) n`,
    [...own, endpointId, at, first, last, waitsEvery],
  );
  // The only success lies behind nothing but failures; each attempt was as late as its number.
  await tx.query(
    `INSERT INTO webhook_attempts (customer_id, environment, endpoint_id, event_id, number, at,
       duration_ms, delay_ms, error)
     SELECT $1, $2, $3, 'evt_many' || n, 1, $4::timestamptz, 5, n, CASE WHEN n > 1 THEN 'STATUS' END
     FROM generate_series($5::integer, $6::integer) n`,
    [...own, endpointId, at, first, last],
  );
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const SCAN = /^(Seq|Index|Index Only|Bitmap Heap) Scan$/;

/** Rows that a plan fetched from tables and indexes, those included that it then left out. */
const rowsRead = (plan: PlanNode): number =>
  nodesOf(plan)
    .filter((node) => SCAN.test(node['Node Type']))
    .map(
      (node) =>
        (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    )
    .reduce((sum, rows) => sum + rows, 0);

/** The indexes by which a plan reads deliveries: none where it goes through the table. */
const indexesOfDeliveries = (plan: PlanNode): string[] =>
  nodesOf(plan)
    .filter((node) => node['Relation Name'] === 'webhook_deliveries')
    .flatMap(nodesOf)
    .flatMap((node) => node['Index Name'] ?? []);

/** An endpoint's health, and the plan of the one statement by which it is read. */
async function explainHealth(mode: string): Promise<[EndpointHealthRow, PlanNode]> {
  const { db, scope } = harness;
  return db.read(scope, async (tx) => {
    await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
    const plans: PlanNode[] = [];
    const explained = {
      ...tx,
      async query<Row extends object>(text: string, values?: Parameters<typeof tx.query>[1]) {
        const [row] = await tx.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
          values,
        );
        plans.push(...(row?.['QUERY PLAN'] ?? []).map(({ Plan }) => Plan));
        return tx.query<Row>(text, values);
      },
    };
    const health = await readEndpointHealth(explained, scope, endpointId);
    const [plan] = plans;
    if (plan === undefined || plans.length > 1) throw new Error('one statement was expected');
    return [health, plan];
  });
}

/** Of some indexes those that hold only what waits. */
async function partial(names: readonly string[]): Promise<string[]> {
  const rows = await harness.rows<{ name: string }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index
     WHERE indrelid = 'webhook_deliveries'::regclass AND indexrelid::regclass::text = ANY ($1)
       AND pg_get_expr(indpred, indrelid) LIKE '%PENDING%'`,
    [names],
  );
  return rows.map(({ name }) => name);
}

async function expectPartialIndexes(plan: PlanNode): Promise<void> {
  const used = indexesOfDeliveries(plan);
  // What was tried before, and what was not.
  expect(used).toHaveLength(2);
  expect((await partial(used)).sort()).toEqual(used.sort());
}

const MODES = ['force_custom_plan', 'force_generic_plan'];

describe('the health of an endpoint with 60,000 deliveries', () => {
  beforeAll(() => addDeliveries(1, DELIVERIES, WAITS_EVERY));

  it.each(MODES)('reads the few that wait, and no delivered one between (%s)', async (mode) => {
    const [health, plan] = await explainHealth(mode);
    expect(health).toEqual({
      lastSuccessAt: harness.clock.now(),
      backlog: BigInt(WAITING),
      // The median of the newest 100, which are from 59,901 on: 59,950.5, and a half goes to the even.
      medianDelayMs: DELIVERIES - 50,
    });
    await expectPartialIndexes(plan);
    expect(rowsRead(plan)).toBe(WAITING + ATTEMPTS_READ);
  });

  describe('of which 15,000 more wait', () => {
    beforeAll(() => addDeliveries(DELIVERIES + 1, DELIVERIES + OUTAGE, 1));

    it.each(MODES)('counts 10,000 of them and reads no more (%s)', async (mode) => {
      const [health, plan] = await explainHealth(mode);
      expect(health.backlog).toBe(10_000n);
      await expectPartialIndexes(plan);
      expect(rowsRead(plan)).toBeLessThanOrEqual(10_000 + ATTEMPTS_READ);
      expect(rowsRead(plan)).toBeGreaterThan(10_000);
    });
  });
});
