import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listEvents, type EventFilter } from '../../../src/db/webhooks/event-list-store.ts';
import { selectEventTypes } from '../../../src/domain/webhooks/events/select-event-types.ts';
import type { Scope } from '../../../src/domain/scope.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { addCustomer } from '../../support/test-customer.ts';

const COUNT = 20_000;
const LIMIT = 20;
/** Half of them are from before the first one that is shown, as where nothing was pruned for long. */
const SHOWN = COUNT / 2;
const FROM_MS = Date.parse('2026-01-01T00:00:00Z');
const minute = (number: number) => new Date(FROM_MS + number * 60_000);

let database: TestDatabase;
let scope: Scope;
beforeAll(async () => {
  database = await createTestDatabase();
  const customerId = await database.db.system((tx) => addCustomer(tx));
  scope = { customerId, environment: 'test' };
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  // One resource of 200 versions, all of which may be read; a rare type that ends early; the others alternate.
  await admin.query(
    `INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
       resource_version, body, created_at)
     SELECT 'e' || n, $1, 'test',
       CASE WHEN n < 100 THEN 'kyc.approved' WHEN n % 2 = 0 THEN 'payment.created'
         ELSE 'payment.completed' END, 'payment',
       CASE WHEN n % 100 = 0 THEN 'often' ELSE 'r' || n END, n, to_char(n, 'FM99999'), $2::timestamptz + n * interval '1 minute'
     FROM generate_series(1, $3::int) n ORDER BY n`,
    [customerId, minute(0), COUNT],
  );
  await admin.query('ANALYZE');
  await admin.end();
});
afterAll(() => database.close());

const oldest = minute(SHOWN);
const FILTERS: (readonly [string, Partial<EventFilter>, number])[] = [
  ['nothing', {}, LIMIT],
  ['a type', { types: ['payment.completed'] }, LIMIT],
  ['a type that there was long ago', { types: ['kyc.approved'] }, 0],
  ['a family', { types: selectEventTypes(['payment.*'], undefined) }, LIMIT],
  ['a resource type', { types: selectEventTypes(undefined, 'payment') }, LIMIT],
  ['a resource type without any', { types: selectEventTypes(undefined, 'bank_account') }, 0],
  ['a resource', { resourceId: 'often' }, LIMIT],
  ['a resource and a type', { resourceId: 'often', types: ['payment.created'] }, LIMIT],
  ['a resource that is not there', { resourceId: 'none' }, 0],
  ['a span', { createdAfter: minute(15_000), createdBefore: minute(15_008) }, 7],
  ['an early end', { createdBefore: minute(SHOWN + 5) }, 4],
  ['a late start', { createdAfter: minute(COUNT - 5) }, 5],
  [
    'a span and a family',
    {
      ...{ createdAfter: minute(15_000), createdBefore: minute(15_008) },
      types: selectEventTypes(['payment.*', 'kyc.*'], undefined),
    },
    7,
  ],
];
/** A walk for each of a family's types, and twice what lies within five minutes of a moment. */
const READ_MAX = 14 * (LIMIT + 1);

const list = (filter: Partial<EventFilter>, plan: string, before: bigint | null = null) =>
  database.db.read(scope, async (tx) => {
    const count = async () => {
      const [row] = await tx.query<{ read: bigint; scans: bigint }>(
        `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint AS read,
           sum(seq_scan)::bigint AS scans
         FROM pg_stat_xact_user_tables WHERE relname = 'events'`,
      );
      return { read: Number(row?.read ?? 0n), scans: Number(row?.scans ?? 0n) };
    };
    await tx.query(`SET LOCAL plan_cache_mode = force_${plan}_plan`);
    const from = await count();
    const whole = { createdAfter: oldest, ...filter };
    const { items } = await listEvents(tx, scope, whole, { limit: LIMIT, before });
    const until = await count();
    return { items, read: until.read - from.read, scans: until.scans - from.scans };
  });

describe.each(['custom', 'generic'])('a log of 20,000 events, by a %s plan', (plan) => {
  it.each(FILTERS)('by %s reads a page, and no table', async (_name, filter, shown) => {
    const { items, read, scans } = await list(filter, plan);
    expect(items).toHaveLength(shown);
    expect(items.map(({ seq }) => seq)).toEqual(
      items.map(({ seq }) => seq).toSorted((one, other) => Number(other - one)),
    );
    // The body is the number: nothing that is not shown any more.
    for (const { body } of items) expect(Number(body)).toBeGreaterThan(SHOWN);
    expect({ scans, isFew: read <= READ_MAX, read }).toMatchObject({ scans: 0, isFew: true });
  });

  it('page 400 costs what the first does', async () => {
    const first = await list({}, plan);
    const later = await list({}, plan, (first.items[0]?.seq ?? 0n) - 8_000n);
    expect(later.items).toHaveLength(LIMIT);
    expect(later.read).toBeLessThanOrEqual(first.read);
  });
});
