import type { ChainPlace, Network } from '../../domain/onchain/network.ts';
import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

/** Why a transaction is set aside whose receipt no node's answer holds. */
export const TOO_LARGE = 'TOO_LARGE';

/** Which transfer: its transaction, its place in the receipt, and the address of ours that it came to. */
export interface SetAsideKey {
  readonly txHash: string;
  /** 0 where the receipt was never read. */
  readonly ordinal: number;
  /** In EIP-55's case. */
  readonly to: string;
}

/** A transfer that the database refused to book, or a transaction that cannot be read. */
export interface SetAsideRow extends SetAsideKey {
  readonly environment: Environment;
  readonly network: Network;
  /** The SQLSTATE that it was refused with last, or TOO_LARGE: then it stands for all transfers of its transaction. */
  readonly why: string;
  readonly tries: number;
  readonly since: Date;
  readonly nextAt: Date;
}

const COLUMNS = `environment, network, tx_hash AS "txHash", ordinal, to_address AS "to", why, tries, since,
  next_at AS "nextAt"`;

/**
 * Keeps that a transfer was set aside, or was again, and when it is tried next: after 10 seconds at first, twice as
 * long after each further try, an hour at most, and a day what is TOO_LARGE.
 */
export async function setAsideDeposit(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { txHash, ordinal, to }: SetAsideKey,
  { why, now }: { readonly why: string; readonly now: Date },
): Promise<void> {
  await tx.query(
    `INSERT INTO set_aside_deposits AS s (environment, network, tx_hash, ordinal, to_address, why, since,
       tried_at, next_at)
     VALUES (:environment, :network, :txHash, :ordinal, :to, :why, :now, :now, :now::timestamptz + interval '10 seconds')
     ON CONFLICT (environment, network, tx_hash, ordinal) DO UPDATE
       SET why = excluded.why, to_address = excluded.to_address, tries = s.tries + 1, tried_at = excluded.tried_at,
         next_at = excluded.tried_at + least(
           CASE excluded.why WHEN '${TOO_LARGE}' THEN interval '1 day' ELSE interval '1 hour' END,
           interval '10 seconds' * 2 ^ least(s.tries, 14))`,
    { environment, network, txHash, ordinal, to, why, now },
  );
}

/** Those of a chain that are to be tried again, what waits longest first. */
export function readDueSetAside(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  now: Date,
  limit: number,
): Promise<SetAsideRow[]> {
  return tx.query<SetAsideRow>(
    `SELECT ${COLUMNS} FROM set_aside_deposits
     WHERE environment = $1 AND network = $2 AND next_at <= $3
     ORDER BY next_at, tx_hash, ordinal LIMIT $4`,
    [environment, network, now, limit],
  );
}

/** Those of some transactions that are TOO_LARGE to be read, and whose next try has not come. */
export async function readLeftTooLarge(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  txHashes: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ txHash: string }>(
    `SELECT tx_hash AS "txHash" FROM set_aside_deposits
     WHERE environment = $1 AND network = $2 AND tx_hash = ANY ($3::text[])
       AND why = '${TOO_LARGE}' AND next_at > $4`,
    [environment, network, [...txHashes], now],
  );
  return new Set(rows.map(({ txHash }) => txHash));
}

/** Forgets one that was tried again and not set aside since it was read. */
export async function forgetSetAside(
  tx: SystemTransaction,
  { environment, network, txHash, ordinal, tries }: SetAsideRow,
): Promise<void> {
  await tx.query(
    `DELETE FROM set_aside_deposits WHERE environment = :environment AND network = :network
       AND tx_hash = :txHash AND ordinal = :ordinal AND tries = :tries`,
    { environment, network, txHash, ordinal, tries },
  );
}

/** All of them, the oldest first. */
export function listSetAside(tx: SystemTransaction, limit: number): Promise<SetAsideRow[]> {
  return tx.query<SetAsideRow>(
    `SELECT ${COLUMNS} FROM set_aside_deposits ORDER BY since, tx_hash, ordinal LIMIT $1`,
    [limit],
  );
}
