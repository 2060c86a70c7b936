import type { Environment, Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** What we have of a currency: minor units, long positive. */
interface FxExposure {
  readonly currency: string;
  /** The fx lines of the ledger, over all customers. */
  readonly settled: bigint;
  /** What payments that are under way will bring unless they are canceled or fail, over all customers: zero or more, */
  readonly heldLong: bigint;
  /** and what they will take, zero or less. */
  readonly heldShort: bigint;
  /** What quotes that may still be used, or still be paid for by a deposit, would bring, zero or more, */
  readonly quotedLong: bigint;
  /** and what they would take, zero or less. */
  readonly quotedShort: bigint;
}

const exposure = (ofQuotes: string): string => `
  SELECT currency, sum(settled)::bigint AS settled,
    sum(held_long)::bigint AS "heldLong", sum(held_short)::bigint AS "heldShort",
    sum(long)::bigint AS "quotedLong", sum(short)::bigint AS "quotedShort"
  FROM (
    SELECT currency, settled, held_long, held_short, 0 AS long, 0 AS short
    FROM fx_exposure(:environment)
    UNION ALL
    SELECT leg.currency, 0, 0, 0, leg.long, leg.short
    FROM quotes q CROSS JOIN LATERAL (VALUES
      (q.source_currency, q.converted_amount, 0), (q.target_currency, 0, -q.target_amount))
        AS leg (currency, long, short)
    WHERE q.environment = :environment AND q.consumed_at IS NULL AND q.expires_at > :at
      AND ${ofQuotes}
    UNION ALL
    SELECT leg.currency, 0, 0, 0, leg.long, leg.short
    FROM payment_fundings q JOIN payments p ON p.id = q.payment_id CROSS JOIN LATERAL (VALUES
      (p.source_currency, p.source_amount, 0), (p.currency, 0, -p.amount))
        AS leg (currency, long, short)
    WHERE q.environment = :environment AND q.status = 'AWAITED' AND p.quote_id IS NOT NULL
      AND ${ofQuotes}
  ) AS part GROUP BY currency ORDER BY currency`;

/** An environment's open currencies, by what is committed; quotes are those of all customers. */
export async function readFxExposure(
  tx: SystemTransaction,
  environment: Environment,
  at: Date,
): Promise<FxExposure[]> {
  return tx.query<FxExposure>(exposure('true'), { environment, at });
}

/** The same as it concerns one customer: of quotes that may still be used, its own alone. */
export async function readFxExposureTo(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  at: Date,
): Promise<FxExposure[]> {
  const ofQuotes = 'q.customer_id = :customerId';
  return tx.query<FxExposure>(exposure(ofQuotes), { customerId, environment, at });
}

/**
 * Lets requests of a customer that enlarge the position take turns until they commit: each then reads what the one before
 * has taken.
 */
export async function lockFxExposureOf(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('fx-exposure:' || $1::text || ':' || $2::text, 0))`,
    [customerId, environment],
  );
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
