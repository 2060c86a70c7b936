import type { ChainPlace } from '../../domain/onchain/network.ts';
import type { SignerAccountKey } from './signer-account-store.ts';
import type { NonceKey } from './chain-nonce-store.ts';
import type { SystemTransaction } from '../client/database.ts';

/** An address at which deposits of an asset lie for good and may not have been swept. */
export interface UnsweptRow {
  readonly asset: string;
  /** In EIP-55's mixed case. */
  readonly address: string;
  /** The payment's or the standing address's: the address follows from it. */
  readonly ownerId: string;
  readonly version: number;
  /** Sweeps were to empty it since its last deposit, twice, and ran: it is due again all the same. */
  readonly isLeft: boolean;
}

/** Minor units of an asset, 10 of its units, that hold the sweep of their address back while operators judge them. */
const HOLDS_BACK_FROM = 10_000_000;

const IS_UNSWEPT = `environment = :environment AND network = :network AND asset = :asset
  AND address = :address`;

/**
 * Due, in no sweep that is under way, and without much of the asset that is blocked or that an operator has to judge: a
 * little goes to the treasury with the rest, and the ledger says whose it is.
 */
const IS_DUE = `u.next_at <= :now
  AND NOT EXISTS (SELECT FROM chain_sweep_addresses a JOIN chain_sweeps s USING
    (environment, network, address, nonce) WHERE a.is_open AND s.asset = u.asset
      AND (a.environment, a.network, a.swept_address) = (u.environment, u.network, u.address))
  AND coalesce((SELECT sum(d.amount) FROM deposits d
    WHERE (d.status = 'BLOCKED' OR (d.review = 'HELD' AND d.status = 'SEEN'))
      AND (d.environment, d.network, d.to_address, d.asset) = (u.environment, u.network, u.address, u.asset)
      AND (d.payment_id = u.owner_id OR d.deposit_address_id = u.owner_id)), 0) < ${HOLDS_BACK_FROM}`;

const NO_ROUND = `NOT EXISTS (SELECT FROM chain_stops c WHERE c.lifted_at IS NULL
    AND (c.environment, c.network) = (u.environment, u.network))
  AND NOT EXISTS (SELECT FROM chain_sweep_rounds r
  WHERE (r.environment, r.network) = (u.environment, u.network) AND r.next_at > :now)`;

/** Whether a round of sweeps has something to look at now. */
export async function isSweepDue(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  now: Date,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM chain_unswept u WHERE u.environment = :environment AND u.network = :network
       AND ${NO_ROUND} AND ${IS_DUE} LIMIT 1`,
    { environment, network, now },
  );
  return rows.length > 0;
}

/** The chains of which that is so. */
export async function readSweepableChains(tx: SystemTransaction, now: Date): Promise<ChainPlace[]> {
  return tx.query<ChainPlace>(
    `SELECT DISTINCT environment, network FROM chain_unswept u WHERE ${NO_ROUND} AND ${IS_DUE}
     ORDER BY environment, network`,
    { now },
  );
}

/** Begins a round, and says when the next one may be. False where another process began it. */
export async function beginSweepRound(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { now, nextAt }: { readonly now: Date; readonly nextAt: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO chain_sweep_rounds AS r (environment, network, next_at)
     VALUES (:environment, :network, :nextAt)
     ON CONFLICT (environment, network) DO UPDATE SET next_at = excluded.next_at
       WHERE r.next_at <= :now RETURNING network`,
    { environment, network, now, nextAt },
  );
  return rows.length > 0;
}

/** The round that began with that `nextAt` left something: the next one may begin at once. */
export async function leaveSweepRound(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { now, nextAt }: { readonly now: Date; readonly nextAt: Date },
): Promise<void> {
  await tx.query(
    `UPDATE chain_sweep_rounds SET next_at = :now
     WHERE environment = :environment AND network = :network AND next_at = :nextAt`,
    { environment, network, now, nextAt },
  );
}

/** What is asked for of an asset: what is due now and was final at that block. */
interface UnsweptQuery {
  readonly asset: string;
  readonly now: Date;
  readonly final: bigint;
  readonly limit: number;
}

/** Addresses of an asset that are due, those that wait longest first. */
export async function readUnswept(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { asset, now, final, limit }: UnsweptQuery,
): Promise<UnsweptRow[]> {
  return tx.query<UnsweptRow>(
    `SELECT u.asset, u.address, u.owner_id AS "ownerId", u.version,
       u.swept_version IS NOT DISTINCT FROM u.version AND u.sweeps >= 2 AS "isLeft" FROM chain_unswept u
     WHERE u.environment = :environment AND u.network = :network AND u.asset = :asset
       AND u.block_number <= :final AND ${IS_DUE}
     ORDER BY u.next_at, u.address LIMIT :limit`,
    { environment, network, asset, now, final, limit },
  );
}

/** Nothing of the asset lies there any more, unless a deposit came since the row was read. */
export async function forgetUnswept(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { asset, address, version }: UnsweptRow,
): Promise<void> {
  await tx.query(`DELETE FROM chain_unswept WHERE ${IS_UNSWEPT} AND version = :version`, {
    ...{ environment, network, asset, address, version },
  });
}

/** The address is not looked at before that, and then anew, unless a deposit came since the row was read. */
export async function putOffUnswept(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { asset, address, version }: UnsweptRow,
  nextAt: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_unswept SET next_at = :nextAt, swept_version = NULL, sweeps = 0
     WHERE ${IS_UNSWEPT} AND version = :version`,
    { environment, network, asset, address, version, nextAt },
  );
}

/** The same for one that a sweep is to empty, which is counted. */
export async function putOffIntoSweep(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  { asset, address, version }: UnsweptRow,
  nextAt: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_unswept SET next_at = :nextAt, swept_version = version,
       sweeps = CASE WHEN swept_version = version THEN sweeps + 1 ELSE 1 END
     WHERE ${IS_UNSWEPT} AND version = :version`,
    { environment, network, asset, address, version, nextAt },
  );
}

/** Assets that are not swept are not asked about before that. */
export async function putOffOtherAssets(
  tx: SystemTransaction,
  { environment, network }: ChainPlace,
  assets: readonly string[],
  nextAt: Date,
): Promise<void> {
  await tx.query(
    `UPDATE chain_unswept SET next_at = :nextAt WHERE environment = :environment
       AND network = :network AND asset <> ALL (:assets::text[]) AND next_at < :nextAt`,
    { environment, network, assets: [...assets], nextAt },
  );
}

/** How many sweeps a signer account has under way. */
export async function countOpenSweeps(
  tx: SystemTransaction,
  { environment, network, address }: SignerAccountKey,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM chain_sweeps
     WHERE (environment, network, address) = ($1, $2, $3) AND state = 'OPEN'`,
    [environment, network, address],
  );
  return row?.count ?? 0;
}

/** What a sweep is to empty. */
export interface NewSweep {
  readonly asset: string;
  readonly token: string;
  readonly addresses: readonly SweptAddress[];
}

export interface SweptAddress {
  readonly address: string;
  /** 0x and 64 lower-case hex digits. */
  readonly salt: string;
  /** Minor units that lay there at the final block. */
  readonly amount: bigint;
}

/** Gives a nonce that the signer account has just taken to a sweep. Refused where an address is in another one. */
export async function insertSweep(
  tx: SystemTransaction,
  { environment, network, address, nonce }: NonceKey,
  { asset, token, addresses }: NewSweep,
  now: Date,
): Promise<void> {
  const key = { environment, network, address, nonce };
  await tx.query(
    `INSERT INTO chain_sweeps (environment, network, address, nonce, asset, token, created_at, updated_at)
     VALUES (:environment, :network, :address, :nonce, :asset, :token, :now, :now)`,
    { ...key, asset, token, now },
  );
  await tx.query(
    `INSERT INTO chain_sweep_addresses (environment, network, address, nonce, token, swept_address, salt, amount)
     SELECT :environment, :network, :address, :nonce, :token, s.swept, s.salt, s.amount
     FROM unnest(:swept::text[], :salts::text[], :amounts::numeric[]) AS s (swept, salt, amount)`,
    {
      ...{ ...key, token },
      swept: addresses.map((one) => one.address),
      salts: addresses.map(({ salt }) => salt),
      amounts: addresses.map(({ amount }) => amount.toString()),
    },
  );
}
