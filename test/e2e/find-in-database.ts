type Query = (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * The tables that hold one of the values as it is, in whichever column: as text, within JSON, or as bytes. As
 * superuser, every row of every scope; what is sealed is not opened.
 */
export async function findInDatabase(
  query: Query,
  planted: Readonly<Record<string, Buffer>>,
): Promise<string[]> {
  const tables = await query(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    for (const [what, bytes] of Object.entries(planted)) {
      // A row's text writes its bytes in hexadecimal digits.
      const rows = await query(
        `SELECT FROM ${String(name)} AS r WHERE position($1 IN r::text) > 0
           OR position($2 IN r::text) > 0 LIMIT 1`,
        [bytes.toString('utf8').replaceAll('\0', ''), bytes.toString('hex')],
      );
      if (rows.length > 0) found.push(`${what} in ${String(name)}`);
    }
  }
  return found;
}
