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
  const names = Object.keys(planted);
  const texts = Object.values(planted).map((bytes) => bytes.toString('utf8').replaceAll('\0', ''));
  const digits = Object.values(planted).map((bytes) => bytes.toString('hex'));
  const found: string[] = [];
  for (const { name } of tables) {
    // A row's text writes its bytes in hexadecimal digits.
    const rows = await query(
      `SELECT DISTINCT what
       FROM (SELECT r::text AS line FROM ${String(name)} AS r OFFSET 0) AS lines
       JOIN unnest($1::text[], $2::text[], $3::text[]) AS planted (what, plain, digits)
         ON position(plain IN line) > 0 OR position(digits IN line) > 0`,
      [names, texts, digits],
    );
    for (const { what } of rows) found.push(`${String(what)} in ${String(name)}`);
  }
  return found;
}
