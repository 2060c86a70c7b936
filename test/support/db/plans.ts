import type pg from 'pg';

/** What a statement costs as PostgreSQL plans it, and the indexes that the plan reads. */
export interface Plan {
  readonly cost: number;
  readonly indexes: ReadonlySet<string>;
}

interface PlanNode {
  readonly 'Total Cost': number;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

const indexesOf = (node: PlanNode): string[] => [
  ...(node['Index Name'] === undefined ? [] : [node['Index Name']]),
  ...(node.Plans ?? []).flatMap(indexesOf),
];

/** Plans as the engine's connections do. See `createPool`. */
const PLANNER = `SET enable_seqscan = off; SET random_page_cost = 1.1; SET jit = off;
  SET max_parallel_workers_per_gather = 0`;

/** Has the planner take every table for one that nobody has analyzed, with ten pages. */
const FORGET_SIZES = `SELECT pg_clear_relation_stats('public', relname) FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

/** All rows of a table are one customer's, and at one endpoint: an index has to find a row by more than that. */
const SHARE_OWNERS = `SELECT pg_restore_attribute_stats('schemaname', 'public', 'relname', c.relname::text,
    'attname', a.attname::text, 'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real)
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
    AND a.attname IN ('customer_id', 'environment', 'endpoint_id', 'network', 'connector')`;

export async function planForAnyValues(client: pg.Client): Promise<void> {
  await client.query(PLANNER);
  await client.query(SHARE_OWNERS);
  await client.query(FORGET_SIZES);
}

/** The plan of a statement for any values. */
export async function planOf(client: pg.Client, statement: string): Promise<Plan> {
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ Plan: PlanNode }] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${statement}`,
  );
  const node = rows[0]?.['QUERY PLAN'][0].Plan;
  if (node === undefined) throw new Error('PostgreSQL answers no plan');
  return { cost: node['Total Cost'], indexes: new Set(indexesOf(node)) };
}

/** The same without an index. */
export async function planWithout(
  client: pg.Client,
  index: string,
  statement: string,
): Promise<Plan> {
  await client.query('BEGIN');
  try {
    await client.query(`DROP INDEX ${index}`);
    return await planOf(client, statement);
  } finally {
    await client.query('ROLLBACK');
  }
}
