import type { SystemTransaction } from '../client/database.ts';

/** A column whose values the vault seals. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key, in its order. */
  readonly key: Readonly<Record<string, 'text' | 'bigint' | 'integer' | 'bytea'>>;
}

/** The values of a row's primary key, in their order. */
export type RowKey = readonly string[];

export interface SealedRow {
  readonly key: RowKey;
  /** The number of the vault's key that sealed the value; null: none of them did. */
  readonly keyId: number | null;
  readonly byteCount: number;
}

interface SealedValue {
  readonly key: RowKey;
  readonly sealed: Buffer;
}

/** A value, and the same content sealed anew. */
interface ResealedValue extends SealedValue {
  readonly resealed: Buffer;
}

/** Which part of a column is read, after a row or from the first one. */
export interface SealedPage {
  readonly after: RowKey | null;
  readonly limit: number;
  /** What the values of end-users begin with, which none of the vault's keys sealed. */
  readonly ownerMark: number;
}

/** A page of a column in the order of its primary key, without the values. */
export async function listSealedRows(
  tx: SystemTransaction,
  { table, column, key }: SealedColumn,
  { after, limit, ownerMark }: SealedPage,
): Promise<SealedRow[]> {
  const names = Object.keys(key).join(', ');
  const first = after === null ? '' : `WHERE (${names}) > (${parameters(key)})`;
  const values = after ?? [];
  const [mark, most] = [values.length + 1, values.length + 2].map((at) => `$${String(at)}`);
  // The first byte alone: a whole document would be read for it otherwise.
  return tx.query<SealedRow>(
    `SELECT ARRAY[${textsOf(key)}] AS key, coalesce(octet_length(${column}), 0) AS "byteCount",
       CASE WHEN octet_length(${column}) > 0 THEN
         nullif(get_byte(substring(${column} FROM 1 FOR 1), 0), ${mark ?? ''}::integer) END AS "keyId"
     FROM ${table} ${first} ORDER BY ${names} LIMIT ${most ?? ''}::integer`,
    [...values, ownerMark, limit],
  );
}

/** The values of rows, which stay locked. A row that another transaction has locked is left out: nothing waits here. */
export async function lockSealedValues(
  tx: SystemTransaction,
  { table, column, key }: SealedColumn,
  rows: readonly RowKey[],
): Promise<SealedValue[]> {
  const names = Object.keys(key).join(', ');
  return tx.query<SealedValue>(
    `SELECT ARRAY[${textsOf(key)}] AS key, ${column} AS sealed FROM ${table}
     WHERE octet_length(${column}) > 0
       AND (${names}) IN (SELECT ${names} FROM unnest(${arrays(key)}) AS given (${names}))
     FOR NO KEY UPDATE SKIP LOCKED`,
    columnsOf(key, rows),
  );
}

/** Puts values in the place of what they were made of, and answers how many. A value that has changed since stays. */
export async function storeResealed(
  tx: SystemTransaction,
  { table, column, key }: SealedColumn,
  values: readonly ResealedValue[],
): Promise<number> {
  const names = Object.keys(key);
  const count = names.length;
  const stored = await tx.query(
    `UPDATE ${table} t SET ${column} = given.resealed
     FROM unnest(${arrays(key)}, $${String(count + 1)}::bytea[], $${String(count + 2)}::bytea[])
       AS given (${names.join(', ')}, was, resealed)
     WHERE ${names.map((name) => `t.${name} = given.${name}`).join(' AND ')} AND t.${column} = given.was
     RETURNING 1 AS one`,
    [
      ...columnsOf(
        key,
        values.map((value) => value.key),
      ),
      values.map(({ sealed }) => sealed),
      values.map(({ resealed }) => resealed),
    ],
  );
  return stored.length;
}

type KeyColumns = SealedColumn['key'];

export const textsOf = (key: KeyColumns): string =>
  Object.keys(key)
    .map((name) => `${name}::text`)
    .join(', ');

export const parameters = (key: KeyColumns): string =>
  Object.values(key)
    .map((type, at) => `$${String(at + 1)}::${type}`)
    .join(', ');

export const arrays = (key: KeyColumns): string =>
  Object.values(key)
    .map((type, at) => `$${String(at + 1)}::${type}[]`)
    .join(', ');

export const columnsOf = (key: KeyColumns, rows: readonly RowKey[]): string[][] =>
  Object.keys(key).map((_name, at) => rows.map((row) => row[at] ?? ''));
