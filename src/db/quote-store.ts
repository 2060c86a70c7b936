import { toPage, type Page, type PageRequest } from '../domain/lists.ts';
import type { LockTime } from '../domain/quotes/lock-times.ts';
import type { QuoteSide, QuoteTerms } from '../domain/quotes/price-quote.ts';
import type { QuoteStatus } from '../domain/quotes/quote-status.ts';
import type { Scope } from '../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from './database.ts';

/** A quote as it was made; nothing of it ever changes. */
export interface NewQuote extends QuoteTerms {
  readonly id: string;
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  readonly fixedSide: QuoteSide;
  readonly rateAsOf: Date;
  readonly rateSource: string;
  readonly isStale: boolean;
  readonly lockFor: LockTime;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** One quote as stored; amounts in minor units. */
export interface QuoteRow extends NewQuote {
  readonly seq: bigint;
  readonly consumedAt: Date | null;
  readonly paymentId: string | null;
}

export interface QuoteFilter {
  readonly status?: QuoteStatus;
  /** The time by which the status is judged. */
  readonly now: Date;
}

const COLUMNS = `id, seq, source_currency AS "sourceCurrency", target_currency AS "targetCurrency",
  fixed_side AS "fixedSide", source_amount AS "sourceAmount",
  converted_amount AS "convertedAmount", target_amount AS "targetAmount",
  fixed_fee AS "fixedFee", percentage_fee AS "percentageFee", fee_bps AS "feeBps",
  mid_market_rate::text AS "midMarketRate", rate::text AS rate, markup_bps AS "markupBps",
  rate_as_of AS "rateAsOf", rate_source AS "rateSource", is_stale AS "isStale",
  lock_for AS "lockFor", created_at AS "createdAt", expires_at AS "expiresAt",
  consumed_at AS "consumedAt", payment_id AS "paymentId"`;

export async function insertQuote(
  tx: ScopedTransaction,
  scope: Scope,
  quote: NewQuote,
): Promise<QuoteRow> {
  const [row] = await tx.query<QuoteRow>(
    `INSERT INTO quotes (customer_id, environment, id, source_currency, target_currency, fixed_side,
       source_amount, converted_amount, target_amount, fixed_fee, percentage_fee, fee_bps,
       mid_market_rate, rate, markup_bps, rate_as_of, rate_source, is_stale, lock_for, created_at,
       expires_at)
     VALUES (:customerId, :environment, :id, :sourceCurrency, :targetCurrency, :fixedSide,
       :sourceAmount, :convertedAmount, :targetAmount, :fixedFee, :percentageFee, :feeBps,
       :midMarketRate, :rate, :markupBps, :rateAsOf, :rateSource, :isStale, :lockFor, :createdAt,
       :expiresAt)
     RETURNING ${COLUMNS}`,
    { customerId: scope.customerId, environment: scope.environment, ...quote },
  );
  if (row === undefined) throw new Error('a quote was not stored');
  return row;
}

export async function findQuote(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<QuoteRow | null> {
  const rows = await tx.query<QuoteRow>(
    `SELECT ${COLUMNS} FROM quotes WHERE customer_id = $1 AND environment = $2 AND id = $3`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

/** Quotes of a status, or all of them, newest first. */
export async function listQuotes(
  tx: ScopedTransaction,
  scope: Scope,
  { status, now }: QuoteFilter,
  page: PageRequest,
): Promise<Page<QuoteRow>> {
  const rows = await tx.query<QuoteRow>(
    `SELECT ${COLUMNS} FROM quotes
     WHERE customer_id = :customerId AND environment = :environment
       AND (:status::text IS NULL OR :status = CASE
         WHEN consumed_at IS NOT NULL THEN 'CONSUMED'
         WHEN expires_at <= :now THEN 'EXPIRED' ELSE 'ACTIVE' END)
       AND (:before::bigint IS NULL OR seq < :before)
     ORDER BY seq DESC LIMIT :limit`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      status: status ?? null,
      now,
      before: page.before,
      limit: page.limit + 1,
    },
  );
  return toPage(rows, page.limit);
}

/**
 * Marks a quote as used by a payment, if it is neither used nor expired at `at`; null where it is, or
 * where there is none. Whoever comes second waits for the first one's transaction, and finds it used.
 */
export async function markQuoteConsumed(
  tx: ScopedTransaction,
  scope: Scope,
  { quoteId, paymentId, at }: { quoteId: string; paymentId: string; at: Date },
): Promise<QuoteRow | null> {
  const rows = await tx.query<QuoteRow>(
    `UPDATE quotes SET consumed_at = :at, payment_id = :paymentId
     WHERE customer_id = :customerId AND environment = :environment AND id = :quoteId
       AND consumed_at IS NULL AND expires_at > :at
     RETURNING ${COLUMNS}`,
    { customerId: scope.customerId, environment: scope.environment, quoteId, paymentId, at },
  );
  return rows[0] ?? null;
}

/**
 * Forgets at most `limit` quotes that expired before `until` without a use, the oldest first, and says
 * how many. Used ones stay with their payments.
 */
export async function deleteUnusedQuotes(
  tx: SystemTransaction,
  until: Date,
  limit: number,
): Promise<number> {
  const deleted = await tx.query(
    `DELETE FROM quotes WHERE consumed_at IS NULL AND id IN (
       SELECT id FROM quotes WHERE consumed_at IS NULL AND expires_at < $1
       ORDER BY expires_at LIMIT $2)
     RETURNING id`,
    [until, limit],
  );
  return deleted.length;
}
