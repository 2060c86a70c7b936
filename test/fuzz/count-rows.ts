import pg from 'pg';
import type { Traces } from './traces.ts';

/** Written by every request, refused or not: the log of requests, and when a key was last used. */
const OF_REQUESTS = new Set(['api_requests', 'rate_buckets', 'api_keys']);

/** Counts the rows of a customer in every table that has a column for it. */
export async function openRowCounter(
  databaseUrl: string,
  customerId: string,
): Promise<{ count: () => Promise<Traces>; close: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE a.attname = 'customer_id' AND NOT a.attisdropped AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
     ORDER BY c.relname`,
  );
  const tables = rows.map(({ name }) => name).filter((name) => !OF_REQUESTS.has(name));
  const counting = tables.map(
    (name) =>
      `SELECT '${name}' AS name, count(*)::text AS rows FROM ${pg.escapeIdentifier(name)} WHERE customer_id = $1`,
  );
  return {
    async count() {
      const text = counting.join(' UNION ALL ');
      const counted = await client.query<{ name: string; rows: string }>(text, [customerId]);
      return Object.fromEntries(counted.rows.map((one) => [`rows of ${one.name}`, one.rows]));
    },
    close: () => client.end(),
  };
}
