import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ScopedTransaction } from '../../src/db/database.ts';
import { readEndpointHealth } from '../../src/db/endpoint-health-store.ts';
import { startEndpointHarness } from '../webhooks/endpoint-harness.ts';

const DELIVERIES = 60_000;
const PART = 5_000;
/**
 * The backlog that is counted, with as many delivered ones between (every second is, so any index will do),
 * the attempts that the median is of, and the newest success.
 */
const READ_MAX = 2 * 10_000 + 100 + 1;

let harness: Awaited<ReturnType<typeof startEndpointHarness>>;
let endpointId: string;
beforeAll(async () => {
  harness = await startEndpointHarness();
  endpointId = (await harness.addEndpoint()).id;
  const { db, scope, clock } = harness;
  const own = [scope.customerId, scope.environment];
  // In parts: no statement may take longer than those of the product.
  for (let last = PART; last <= DELIVERIES; last += PART) {
    await db.write(scope, (tx) =>
      addPart(tx, { own, at: clock.now(), first: last - PART + 1, last }),
    );
  }
}, 120_000);
afterAll(() => harness.close());

interface Part {
  /** Customer and environment. */
  readonly own: readonly string[];
  readonly at: Date;
  readonly first: number;
  readonly last: number;
}

async function addPart(tx: ScopedTransaction, { own, at, first, last }: Part): Promise<void> {
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
       CASE WHEN n % 2 = 0 THEN 'PENDING' ELSE 'DELIVERED' END, n % 2
     FROM generate_series($5::integer, $6::integer) n`,
    [...own, endpointId, at, first, last],
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
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that a plan fetched from tables and indexes, those included that it then left out. */
function rowsRead(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0);
  if (!/^(Seq|Index|Index Only|Bitmap Heap) Scan$/.test(node['Node Type'])) return below;
  const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0);
  return below + each * node['Actual Loops'];
}

it.each(['force_custom_plan', 'force_generic_plan'])(
  'the health of an endpoint with 60,000 deliveries is read from a few rows (%s)',
  async (mode) => {
    const { db, scope, clock } = harness;
    const [health, read] = await db.read(scope, async (tx) => {
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
      const found = await readEndpointHealth(explained, scope, endpointId);
      return [found, plans.map(rowsRead)] as const;
    });
    expect(health).toEqual({
      lastSuccessAt: clock.now(),
      backlog: 10_000n,
      // The median of the newest 100, which are from 59,901 on: 59,950.5, and a half goes to the even.
      medianDelayMs: DELIVERIES - 50,
    });
    expect(read).toHaveLength(1);
    expect(read[0]).toBeGreaterThan(0);
    expect(read[0]).toBeLessThanOrEqual(READ_MAX);
  },
  60_000,
);
