/** Rows as one array a column: the values of a statement that takes several rows by `unnest`. */
export function columnsOf<Row extends object>(
  rows: readonly Row[],
  names: readonly (keyof Row & string)[],
): Record<string, unknown[]> {
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])]));
}
