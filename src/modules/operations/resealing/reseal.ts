import type { Database } from '../../../db/client/database.ts';
import {
  listSealedRows,
  lockSealedValues,
  storeResealed,
  type RowKey,
  type SealedPage,
  type SealedRow,
} from '../../../db/operations/reseal-store.ts';
import { OWNER_MARK } from '../../../vault/owner-key.ts';
import { MissingEncryptionKey, type Vault } from '../../../vault/vault.ts';
import { SEALED_COLUMNS, type NamedSealedColumn } from './sealed-columns.ts';

/** How many rows one statement reads. */
const PAGE_ROWS = 1_000;

/** What one transaction seals anew, at most; one value may be larger. */
const BATCH_ROWS = 100;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Rows that others have locked are left to the next pass over the table. */
const PASSES_MAX = 10;

export interface ResealDeps {
  /** A database whose system role is causeway_resealer. */
  readonly db: Pick<Database, 'system'>;
  readonly vault: Vault;
  readonly showProgress: (text: string) => void;
}

/** How many values of a column each of the vault's keys has sealed, by the number of the key. */
export interface ColumnCounts {
  /** As `users.address`. */
  readonly place: string;
  readonly byKey: ReadonlyMap<number, number>;
}

/** A value that stays as it is. */
export interface Unopened {
  readonly place: string;
  readonly why: 'KEY_MISSING' | 'NOT_INTACT';
  /** The row's key, or the first columns of it where the last one is a partner's text. */
  readonly row: string;
}

interface Resealed {
  readonly count: number;
  readonly unopened: readonly Unopened[];
}

/** What each key has sealed. Reads every row, some at a time, and changes nothing. */
export async function countByKey(deps: ResealDeps): Promise<readonly ColumnCounts[]> {
  const counts: ColumnCounts[] = [];
  for (const column of SEALED_COLUMNS) {
    const byKey = new Map<number, number>();
    for await (const { rows, read } of pages(deps, column)) {
      for (const { keyId } of rows) {
        if (keyId !== null) byKey.set(keyId, (byKey.get(keyId) ?? 0) + 1);
      }
      deps.showProgress(`${placeOf(column)}: ${String(read)} rows`);
    }
    counts.push({ place: placeOf(column), byKey });
  }
  deps.showProgress('');
  return counts;
}

/**
 * Opens one value of each column that carries the current key's number. The number does not say that it is the key which
 * the processes have: a key that was typed wrongly would open nothing once the others are gone.
 */
export async function checkCurrentKey(
  deps: ResealDeps,
): Promise<
  { readonly kind: 'OPENS' | 'UNUSED' } | { readonly kind: 'DIFFERS'; readonly place: string }
> {
  let kind: 'OPENS' | 'UNUSED' = 'UNUSED';
  for (const column of SEALED_COLUMNS) {
    const one = await findOfKey(deps, column, deps.vault.currentKeyId);
    if (one === null) continue;
    if (!canOpen(deps.vault, one.sealed, column.rowOf(one.key))) {
      return { kind: 'DIFFERS', place: placeOf(column) };
    }
    kind = 'OPENS';
  }
  return { kind };
}

/** A value of a column that carries the number of a key; null where there is none that nobody has locked. */
async function findOfKey(deps: ResealDeps, column: NamedSealedColumn, wanted: number) {
  for await (const { rows } of pages(deps, column)) {
    const keys = rows.filter(({ keyId }) => keyId === wanted).map(({ key }) => key);
    if (keys.length === 0) continue;
    const found = await deps.db.system((tx) => lockSealedValues(tx, column, keys.slice(0, 1)));
    const one = found.find(({ sealed }) => sealed[0] === wanted);
    if (one !== undefined) return one;
  }
  return null;
}

function canOpen(vault: Vault, sealed: Buffer, row: string): boolean {
  try {
    vault.open(sealed, row);
    return true;
  } catch {
    return false;
  }
}

/**
 * Seals under the current key whatever the other keys of the vault sealed. It may be killed and run again at any time: a
 * value says by itself which key sealed it. Processes may work meanwhile: a row that one of them has locked is left to the
 * next pass, and a value that one of them has changed is kept.
 */
export async function resealAll(deps: ResealDeps): Promise<Resealed> {
  let count = 0;
  const unopened: Unopened[] = [];
  for (const column of SEALED_COLUMNS) {
    for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
      const done = await resealColumn(deps, column);
      count += done.count;
      if (done.left > 0 && pass < PASSES_MAX) continue;
      unopened.push(...done.unopened);
      break;
    }
  }
  deps.showProgress('');
  return { count, unopened };
}

/** One pass. `left`: values that were not sealed anew, although they can be opened. */
async function resealColumn(deps: ResealDeps, column: NamedSealedColumn) {
  const done = { count: 0, left: 0, unopened: [] as Unopened[] };
  for await (const { rows, read } of pages(deps, column)) {
    const old = rows.filter(({ keyId }) => keyId !== null && keyId !== deps.vault.currentKeyId);
    for (const batch of batchesOf(old)) {
      const { count, unopened } = await resealBatch(deps, column, batch);
      done.count += count;
      done.left += batch.length - count - unopened.length;
      done.unopened.push(...unopened);
      deps.showProgress(
        `${placeOf(column)}: ${String(read)} rows, ${String(done.count)} sealed anew`,
      );
    }
  }
  return done;
}

const resealBatch = (
  { db, vault }: ResealDeps,
  column: NamedSealedColumn,
  rows: readonly RowKey[],
): Promise<Resealed> =>
  db.system(async (tx) => {
    const unopened: Unopened[] = [];
    const values = (await lockSealedValues(tx, column, rows)).flatMap(({ key, sealed }) => {
      // What was sealed anew since the page was read.
      if (sealed[0] === vault.currentKeyId || sealed[0] === OWNER_MARK) return [];
      const row = column.rowOf(key);
      try {
        return [{ key, sealed, resealed: vault.seal(vault.open(sealed, row), row) }];
      } catch (error) {
        const why = error instanceof MissingEncryptionKey ? 'KEY_MISSING' : 'NOT_INTACT';
        const shown = key.length === 1 ? key : key.slice(0, 2);
        unopened.push({ place: placeOf(column), why, row: shown.join(' ') });
        return [];
      }
    });
    const count = values.length === 0 ? 0 : await storeResealed(tx, column, values);
    return { count, unopened };
  });

/** The rows of a column, a page at a time, and how many were read so far. */
async function* pages(
  { db }: ResealDeps,
  column: NamedSealedColumn,
): AsyncGenerator<{ readonly rows: readonly SealedRow[]; readonly read: number }> {
  let after: RowKey | null = null;
  let read = 0;
  for (;;) {
    const range: SealedPage = { after, limit: PAGE_ROWS, ownerMark: OWNER_MARK };
    const rows: readonly SealedRow[] = await db.system((tx) => listSealedRows(tx, column, range));
    const last = rows.at(-1);
    if (last === undefined) return;
    read += rows.length;
    yield { rows, read };
    after = last.key;
  }
}

/** Keys of rows in batches that are small in number and in bytes. */
function batchesOf(
  rows: readonly { readonly key: RowKey; readonly byteCount: number }[],
): RowKey[][] {
  const batches: RowKey[][] = [];
  let byteCount = 0;
  for (const row of rows) {
    const batch = batches.at(-1);
    byteCount += row.byteCount;
    if (batch === undefined || batch.length >= BATCH_ROWS || byteCount > BATCH_BYTES) {
      batches.push([row.key]);
      byteCount = row.byteCount;
    } else batch.push(row.key);
  }
  return batches;
}

const placeOf = ({ table, column }: NamedSealedColumn): string => `${table}.${column}`;
