type Rows = <Row extends object>(sql: string, values?: readonly unknown[]) => Promise<Row[]>;

/** What any request with a key changes: the key's last use, its rate limit, and, a little later, its request log. */
const OF_EVERY_REQUEST = ['api_keys', 'api_key_addresses', 'rate_buckets', 'api_requests'];

/**
 * A sum of every row of every table, with the transactions that wrote and locked it: two are equal only
 * where nothing was written between, nor any row held.
 */
export async function sumOfDatabase(rows: Rows): Promise<Readonly<Record<string, string>>> {
  const tables = await rows<{ name: string }>(
    `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name
     FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')
       AND NOT table_name = ANY ($1) ORDER BY 1`,
    [OF_EVERY_REQUEST],
  );
  // One statement: a hundred round trips would take longer than the sums.
  const parts = tables.map(
    ({
      name,
    }) => `SELECT '${name.replaceAll("'", "''")}' AS name, count(*) || ' ' || md5(coalesce(string_agg(
       t.xmin::text || ' ' || t.xmax::text || ' ' || t.ctid::text || t::text, ',' ORDER BY t::text), '')) AS sum
     FROM ${name} t`,
  );
  const sums = await rows<{ name: string; sum: string }>(parts.join(' UNION ALL '));
  return Object.fromEntries(sums.map(({ name, sum }) => [name, sum]));
}
