import type { Environment } from '../domain/scope.ts';
import type { AnyTransaction, SystemTransaction } from './database.ts';

/** What we have of a currency, over all customers: minor units, long positive. */
export interface FxExposure {
  readonly currency: string;
  /** The fx lines of the ledger. */
  readonly settled: bigint;
  /** Promised to payments that are under way. */
  readonly held: bigint;
  /** Promised by quotes that may still be used. */
  readonly quoted: bigint;
}

/** An environment's open currencies, by what is committed. No rows of customers, so no scope is asked. */
export async function readFxExposure(
  tx: AnyTransaction,
  environment: Environment,
  at: Date,
): Promise<FxExposure[]> {
  return tx.query<FxExposure>('SELECT currency, settled, held, quoted FROM fx_exposure($1, $2)', [
    environment,
    at,
  ]);
}

/** Two writers of checkpoints would each leave half of theirs. */
const LOCK_CHECKPOINTS = "SELECT pg_advisory_xact_lock(hashtextextended('fx_checkpoints', 0))";

/**
 * Sums the fx lines of all ledger transactions whose id sorts before `beforeId` up, from the checkpoint
 * before. No such transaction may be under way any more. One that is older than the newest does nothing.
 */
export async function writeFxCheckpoint(
  tx: SystemTransaction,
  environment: Environment,
  beforeId: string,
): Promise<void> {
  await tx.query(LOCK_CHECKPOINTS);
  await tx.query(
    `WITH newest AS (
       SELECT coalesce(max(before_id COLLATE "C"), '') AS before_id FROM fx_checkpoints
       WHERE environment = :environment),
     known AS (SELECT currency, position FROM fx_checkpoints WHERE environment = :environment),
     since AS (
       SELECT e.currency, sum(e.amount)::bigint AS amount
       FROM ledger_entries e CROSS JOIN newest
       WHERE e.account = 'fx' AND e.environment = :environment
         AND e.transaction_id COLLATE "C" >= newest.before_id
         AND e.transaction_id COLLATE "C" < :beforeId
       GROUP BY e.currency)
     INSERT INTO fx_checkpoints (environment, currency, position, before_id)
     SELECT :environment, currency, coalesce(known.position, 0) + coalesce(since.amount, 0), :beforeId
     FROM newest CROSS JOIN (known FULL JOIN since USING (currency))
     WHERE newest.before_id < :beforeId COLLATE "C"
     ON CONFLICT (environment, currency) DO UPDATE
       SET position = excluded.position, before_id = excluded.before_id`,
    { environment, beforeId },
  );
}
