import type { BlockHeader } from '../../domain/onchain/chain-facts.ts';
import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { AnyTransaction, SystemTransaction } from '../client/database.ts';

/** HEAD: read up to the newest block, which may go again. FINAL: read again where no block goes any more. */
type CursorKind = 'HEAD' | 'FINAL';

/** The last block that was read. */
export type CursorBlock = Pick<BlockHeader, 'number' | 'hash' | 'at'>;

export interface CursorRow extends CursorBlock {
  readonly version: number;
}

const COLUMNS = 'block_number AS number, block_hash AS hash, block_at AS at, version';

async function readCursor(
  tx: AnyTransaction,
  { environment, network }: ChainPlace,
  kind: CursorKind,
): Promise<CursorRow | null> {
  const rows = await tx.query<CursorRow>(
    `SELECT ${COLUMNS} FROM chain_cursors
     WHERE environment = $1 AND network = $2 AND kind = $3`,
    [environment, network, kind],
  );
  return rows[0] ?? null;
}

/** How far a chain is read; null where it never was. */
export const readHeadCursor = (tx: AnyTransaction, place: ChainPlace): Promise<CursorRow | null> =>
  readCursor(tx, place, 'HEAD');

/**
 * The last final block up to which every deposit is known, also one that a provider left out at first; null
 * where the chain was never read.
 */
export const readFinalCursor = (tx: AnyTransaction, place: ChainPlace): Promise<CursorRow | null> =>
  readCursor(tx, place, 'FINAL');

/** Both, in one statement. */
export async function readBothCursors(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
): Promise<{ readonly head: CursorRow | null; readonly final: CursorRow | null }> {
  const rows = await tx.query<CursorRow & { readonly kind: CursorKind }>(
    `SELECT kind, ${COLUMNS} FROM chain_cursors WHERE environment = $1 AND network = $2`,
    [environment, network],
  );
  const of = (wanted: CursorKind): CursorRow | null => {
    const row = rows.find(({ kind }) => kind === wanted);
    return row === undefined
      ? null
      : { number: row.number, hash: row.hash, at: row.at, version: row.version };
  };
  return { head: of('HEAD'), final: of('FINAL') };
}

/** Begins a cursor; one that is there stays as it is. */
export async function beginCursor(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  kind: CursorKind,
  block: CursorBlock,
  now: Date,
): Promise<void> {
  const { number, hash, at } = block;
  await tx.query(
    `INSERT INTO chain_cursors (environment, network, kind, block_number, block_hash, block_at,
       created_at, updated_at)
     VALUES (:environment, :network, :kind, :number, :hash, :at, :now, :now)
     ON CONFLICT (environment, network, kind) DO NOTHING`,
    { environment, network, kind, number, hash, at, now },
  );
}

/** Moves a cursor from the version that was read. False where another reader has moved it since. */
export async function moveCursor(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  kind: CursorKind,
  move: { readonly from: CursorRow; readonly to: CursorBlock; readonly now: Date },
): Promise<boolean> {
  const { from, to, now } = move;
  const { number, hash, at } = to;
  const rows = await tx.query(
    `UPDATE chain_cursors SET block_number = :number, block_hash = :hash, block_at = :at,
       version = version + 1, updated_at = :now
     WHERE environment = :environment AND network = :network AND kind = :kind AND version = :version
     RETURNING 1 AS one`,
    { environment, network, kind, version: from.version, number, hash, at, now },
  );
  return rows.length > 0;
}
