import type { SystemTransaction } from '../client/database.ts';
import {
  arrays,
  columnsOf,
  parameters,
  textsOf,
  type RowKey,
  type SealedColumn,
} from './reseal-store.ts';

/** A column that holds keyed hashes. */
export interface HashColumn extends SealedColumn {
  /** Of `bytea[]` are several. */
  readonly type: 'bytea' | 'bytea[]';
}

/** A value as PostgreSQL writes it. */
export interface StoredHash {
  readonly key: RowKey;
  readonly value: string;
}

/** A value, and what takes its place. */
export interface RaisedHash extends StoredHash {
  readonly raised: string;
}

/** A page of a column in the order of its primary key. */
export function listHashes(
  tx: SystemTransaction,
  { table, column, key }: HashColumn,
  after: RowKey | null,
  limit: number,
): Promise<StoredHash[]> {
  const names = Object.keys(key).join(', ');
  const first = after === null ? '' : `WHERE (${names}) > (${parameters(key)})`;
  const values = after ?? [];
  return tx.query<StoredHash>(
    `SELECT ARRAY[${textsOf(key)}] AS key, coalesce(${column}::text, '') AS value
     FROM ${table} ${first} ORDER BY ${names} LIMIT $${String(values.length + 1)}::integer`,
    [...values, limit],
  );
}

/** The values of rows, which stay locked. A row that another transaction has locked is left out: nothing waits here. */
export function lockHashes(
  tx: SystemTransaction,
  { table, column, key }: HashColumn,
  rows: readonly RowKey[],
): Promise<StoredHash[]> {
  const names = Object.keys(key).join(', ');
  return tx.query<StoredHash>(
    `SELECT ARRAY[${textsOf(key)}] AS key, ${column}::text AS value FROM ${table}
     WHERE (${names}) IN (SELECT ${names} FROM unnest(${arrays(key)}) AS given (${names}))
     FOR NO KEY UPDATE SKIP LOCKED`,
    columnsOf(key, rows),
  );
}

/** Puts values in the place of what they were made of, and answers how many. A value that has changed since stays. */
export async function storeHashes(
  tx: SystemTransaction,
  { table, column, key, type }: HashColumn,
  values: readonly RaisedHash[],
): Promise<number> {
  const names = Object.keys(key);
  const [was, raised] = [names.length + 1, names.length + 2].map((at) => `$${String(at)}::text[]`);
  const stored = await tx.query(
    `UPDATE ${table} t SET ${column} = given.raised::${type}
     FROM unnest(${arrays(key)}, ${was ?? ''}, ${raised ?? ''}) AS given (${names.join(', ')}, was, raised)
     WHERE ${names.map((name) => `t.${name} = given.${name}`).join(' AND ')}
       AND t.${column} = given.was::${type}
     RETURNING 1 AS one`,
    [
      ...columnsOf(
        key,
        values.map((value) => value.key),
      ),
      values.map(({ value }) => value),
      values.map((value) => value.raised),
    ],
  );
  return stored.length;
}

/** Tables that hold an address, sealed for its row, beside its keyed hash. */
export const ADDRESS_TABLES = ['operators', 'users', 'mails'] as const;

/** Those of accounts, which are found by the hash. */
export const ACCOUNT_TABLES = ['operators', 'users'] as const;

export interface HashedAddress {
  readonly id: string;
  readonly address: Buffer;
  readonly hash: Buffer;
}

/** A few addresses of a table whose hashes were made under a pepper, or under any other than that. */
export function listHashedAddresses(
  tx: SystemTransaction,
  table: (typeof ADDRESS_TABLES)[number],
  pepper: number,
  isOf: boolean,
): Promise<HashedAddress[]> {
  const number =
    'CASE WHEN octet_length(address_hash) = 33 THEN get_byte(address_hash, 0) ELSE 0 END';
  return tx.query<HashedAddress>(
    `SELECT id, address, address_hash AS hash FROM ${table}
     WHERE (${number} = $1) = $2 ORDER BY id DESC LIMIT 5`,
    [pepper, isOf],
  );
}

/** A page of the addresses of accounts, in the order of their ids. */
export function listAddressesInTurn(
  tx: SystemTransaction,
  table: (typeof ACCOUNT_TABLES)[number],
  afterId: string,
  limit: number,
): Promise<HashedAddress[]> {
  return tx.query<HashedAddress>(
    `SELECT id, address, address_hash AS hash FROM ${table} WHERE id > $1 ORDER BY id LIMIT $2`,
    [afterId, limit],
  );
}
