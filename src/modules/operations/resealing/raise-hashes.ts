import { isUniqueViolation } from '../../../db/client/unique-violation.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import {
  listHashes,
  lockHashes,
  storeHashes,
  type HashColumn,
  type RaisedHash,
  type StoredHash,
} from '../../../db/operations/keyed-hash-store.ts';
import type { RowKey } from '../../../db/operations/reseal-store.ts';
import { pepperOf } from '../../../domain/peppers.ts';
import type { Vault } from '../../../vault/vault.ts';
import { HASH_COLUMNS } from './hash-columns.ts';
import type { ColumnCounts, ResealDeps } from './reseal.ts';

const PAGE_ROWS = 1_000;
const BATCH_ROWS = 100;
const PASSES_MAX = 10;

/** How many hashes of a column each pepper has made, by its number. */
export async function countByPepper(deps: ResealDeps): Promise<readonly ColumnCounts[]> {
  const counts: ColumnCounts[] = [];
  for (const column of HASH_COLUMNS) {
    const byKey = new Map<number, number>();
    for await (const { rows, read } of pages(deps, column)) {
      for (const { value } of rows) {
        for (const number of new Set(hashesIn(value).map(pepperOf))) {
          byKey.set(number, (byKey.get(number) ?? 0) + 1);
        }
      }
      deps.showProgress(`${placeOf(column)}: ${String(read)} rows`);
    }
    counts.push({ place: placeOf(column), byKey });
  }
  deps.showProgress('');
  return counts;
}

/**
 * Moves every hash to the current pepper: it is hashed again. It may be killed and run again at any time, as `resealAll`.
 * `taken`: rows that stay as they are, because another row has their new hash.
 */
export async function raiseAllHashes(
  deps: ResealDeps,
): Promise<{ readonly count: number; readonly taken: readonly string[] }> {
  let count = 0;
  const taken: string[] = [];
  for (const column of HASH_COLUMNS) {
    let takenNow: readonly string[] = [];
    for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
      const done = await raiseColumn(deps, column);
      count += done.count;
      takenNow = done.taken;
      // Nothing moved and nothing was locked: another pass would not move more.
      if (done.left === 0 || (done.count === 0 && done.left === done.taken.length)) break;
    }
    taken.push(...takenNow);
  }
  deps.showProgress('');
  return { count, taken };
}

/** One pass. `left`: of rows that another transaction had locked, or that are taken. */
async function raiseColumn(deps: ResealDeps, column: HashColumn) {
  const taken: string[] = [];
  const done = { count: 0, left: 0, taken };
  for await (const { rows, read } of pages(deps, column)) {
    const old = rows.flatMap((row) => raisedOf(deps.vault, column, row) ?? []);
    for (let at = 0; at < old.length; at += BATCH_ROWS) {
      const keys = old.slice(at, at + BATCH_ROWS).map(({ key }) => key);
      const count = await raiseBatch(deps, column, keys, taken);
      done.count += count;
      done.left += keys.length - count;
      deps.showProgress(`${placeOf(column)}: ${String(read)} rows, ${String(done.count)} moved`);
    }
  }
  return done;
}

/** A batch in one transaction; a row whose new hash is another one's spoils it, so that each is then tried alone. */
async function raiseBatch(
  deps: ResealDeps,
  column: HashColumn,
  keys: readonly RowKey[],
  taken: string[],
): Promise<number> {
  try {
    return await deps.db.system((tx) => raiseRows(deps.vault, tx, column, keys));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    if (keys.length === 1) {
      taken.push(`${placeOf(column)} of ${(keys[0] ?? []).join(' ')}`);
      return 0;
    }
    let count = 0;
    for (const key of keys) count += await raiseBatch(deps, column, [key], taken);
    return count;
  }
}

async function raiseRows(
  vault: Vault,
  tx: SystemTransaction,
  column: HashColumn,
  keys: readonly RowKey[],
): Promise<number> {
  const rows = await lockHashes(tx, column, keys);
  const raised = rows.flatMap((row) => raisedOf(vault, column, row) ?? []);
  return raised.length === 0 ? 0 : storeHashes(tx, column, raised);
}

/** A value under the current pepper; null where it is there already. */
function raisedOf(
  vault: Vault,
  { type }: HashColumn,
  { key, value }: StoredHash,
): RaisedHash | null {
  const hashes = hashesIn(value);
  if (hashes.every((hash) => pepperOf(hash) >= vault.currentPepper)) return null;
  const raised = hashes.map((hash) => vault.raiseHash(hash));
  return { key, value, raised: writtenAs(raised, type) };
}

/** None in a value that is empty or blanked. */
function hashesIn(value: string): Buffer[] {
  const texts = [...value.matchAll(/\\x([0-9a-f]*)/g)];
  const hashes = texts.map(([, hex = '']) => Buffer.from(hex, 'hex'));
  return hashes.filter((hash) => hash.some((byte) => byte !== 0));
}

function writtenAs(hashes: readonly Buffer[], type: HashColumn['type']): string {
  const texts = hashes.map((hash) => `\\x${hash.toString('hex')}`);
  return type === 'bytea' ? texts.join('') : `{${texts.map((text) => `"\\${text}"`).join(',')}}`;
}

/** The rows of a column, a page at a time, and how many were read so far. */
async function* pages({ db }: ResealDeps, column: HashColumn) {
  let after: RowKey | null = null;
  let read = 0;
  for (;;) {
    const from: RowKey | null = after;
    const rows: readonly StoredHash[] = await db.system((tx) =>
      listHashes(tx, column, from, PAGE_ROWS),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    read += rows.length;
    yield { rows, read };
    after = last.key;
  }
}

const placeOf = ({ table, column }: HashColumn): string => `${table}.${column}`;
