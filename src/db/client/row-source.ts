import type { NamedValues } from './named-parameters.ts';

/** PostgreSQL's names of the types that stores hand over as arrays. */
type ColumnType =
  | 'bigint'
  | 'boolean'
  | 'bytea'
  | 'date'
  | 'integer'
  | 'jsonb'
  | 'numeric'
  | 'text'
  | 'timestamptz';

/** Rows that a statement takes as one array a column: any number of them under one prepared text. */
interface RowSource<Name extends string> {
  /** For FROM: the rows under the alias, by their column names, and `turn`, which counts from 1. */
  readonly sql: string;
  /** The column names, in order, for INSERT. */
  readonly columns: string;
  /** The values that `sql` names. A row may have more than the columns. */
  values(rows: readonly Readonly<Record<Name, unknown>>[]): NamedValues;
}

/** `endUserId` is the column `end_user_id`. Values of a jsonb column are given as objects. */
export function rowSource<Name extends string>(
  alias: string,
  types: Readonly<Record<Name, ColumnType>>,
): RowSource<Name> {
  const names = Object.keys(types) as Name[];
  const columns = names.map(columnName).join(', ');
  const arrays = names.map((name) => `:${alias}_${name}::${types[name]}[]`).join(', ');
  const value = (name: Name, given: unknown): unknown =>
    types[name] === 'jsonb' && given !== null ? JSON.stringify(given) : given;
  return {
    columns,
    sql: `unnest(${arrays}) WITH ORDINALITY AS ${alias} (${columns}, turn)`,
    values: (rows) =>
      Object.fromEntries(
        names.map((name) => [`${alias}_${name}`, rows.map((row) => value(name, row[name]))]),
      ),
  };
}

const columnName = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
