import type { Network } from '../../domain/onchain/network.ts';
import type { PaymentFee } from '../../domain/payments/fees/payment-fee.ts';
import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { LockTime } from '../../domain/payments/quotes/lock-times.ts';
import type { QuoteSide, QuoteTerms } from '../../domain/payments/quotes/price-quote.ts';
import type { QuoteStatus } from '../../domain/payments/quotes/quote-status.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';
import { rowSource } from '../client/row-source.ts';

/** A quote as it was made; nothing of it ever changes. */
export interface NewQuote extends QuoteTerms {
  readonly id: string;
  readonly sourceCurrency: string;
  readonly targetCurrency: string;
  /** Where an asset shall arrive; null of a quote to a currency. */
  readonly network: Network | null;
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
  /** Which price of its payment it is: 0 is the first one, and that of an unused quote. */
  readonly requote: number;
}

/** The quote by which a payment was accepted. */
interface FirstQuote extends QuoteRow {
  /** All fees of the payment at this price, its rail's too; null where no later price replaced it, or none tells. */
  readonly allFees: readonly PaymentFee[] | null;
}

/** The quote that prices a payment. */
export interface UsedQuote {
  readonly id: string;
  readonly expiresAt: Date;
  /** It is made for the payment, and stored with it; null: it is stored already. */
  readonly made: NewQuote | null;
}

export interface QuoteFilter {
  readonly status?: QuoteStatus;
  /** The time by which the status is judged. */
  readonly now: Date;
}

const COLUMNS = `id, seq, source_currency AS "sourceCurrency", target_currency AS "targetCurrency",
  network, fees, fixed_side AS "fixedSide", source_amount AS "sourceAmount",
  converted_amount AS "convertedAmount", target_amount AS "targetAmount",
  fixed_fee AS "fixedFee", percentage_fee AS "percentageFee", fee_bps AS "feeBps",
  mid_market_rate::text AS "midMarketRate", rate::text AS rate, markup_bps AS "markupBps",
  rate_as_of AS "rateAsOf", rate_source AS "rateSource", is_stale AS "isStale",
  lock_for AS "lockFor", created_at AS "createdAt", expires_at AS "expiresAt",
  consumed_at AS "consumedAt", payment_id AS "paymentId", requote`;

/** A quote to store. */
export interface StoredQuote extends NewQuote {
  /** Set for one that is made for a payment of this transaction, and used with it. */
  readonly paymentId: string | null;
  /** See `QuoteRow`. */
  readonly requote: number;
  /** The fees of the payment at the price that this one replaces; null where it replaces none. */
  readonly replacedFees: readonly PaymentFee[] | null;
}

const NEW = rowSource('new', {
  ...{ id: 'text', sourceCurrency: 'text', targetCurrency: 'text', fixedSide: 'text' },
  ...{ network: 'text', fees: 'jsonb' },
  ...{ sourceAmount: 'bigint', convertedAmount: 'bigint', targetAmount: 'bigint' },
  ...{ fixedFee: 'bigint', percentageFee: 'bigint', feeBps: 'integer' },
  ...{ midMarketRate: 'numeric', rate: 'numeric', markupBps: 'integer', rateAsOf: 'timestamptz' },
  ...{ rateSource: 'text', isStale: 'boolean', lockFor: 'text', createdAt: 'timestamptz' },
  ...{ expiresAt: 'timestamptz', paymentId: 'text', requote: 'integer' },
  replacedFees: 'jsonb',
});

/** Stores quotes in their order, those with a payment as used when they were made. */
export async function insertQuotes(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  quotes: readonly StoredQuote[],
): Promise<QuoteRow[]> {
  return tx.query<QuoteRow>(
    `INSERT INTO quotes (customer_id, environment, consumed_at, ${NEW.columns})
     SELECT :customerId, :environment, CASE WHEN payment_id IS NOT NULL THEN created_at END,
       ${NEW.columns} FROM ${NEW.sql} ORDER BY turn
     RETURNING ${COLUMNS}`,
    { customerId, environment, ...NEW.values(quotes) },
  );
}

/** Stores one quote, for a payment that may come. */
export async function insertQuote(
  tx: ScopedTransaction,
  scope: Scope,
  quote: NewQuote,
): Promise<QuoteRow> {
  const [row] = await insertQuotes(tx, scope, [
    { ...quote, paymentId: null, requote: 0, replacedFees: null },
  ]);
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

/** The quote by which a payment was accepted; null where it has none. */
export async function findFirstQuote(
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
): Promise<FirstQuote | null> {
  const rows = await tx.query<FirstQuote>(
    `SELECT ${COLUMNS}, (SELECT later.replaced_fees FROM quotes later
       WHERE later.payment_id = quotes.payment_id AND later.requote = 1) AS "allFees"
     FROM quotes
     WHERE customer_id = $1 AND environment = $2 AND payment_id = $3 AND requote = 0`,
    [scope.customerId, scope.environment, paymentId],
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
 * Reads quotes and holds them until the transaction ends, in order of id, so that two transactions that
 * want the same ones do not wait for each other. After the parties, before balances. Those that the scope
 * lacks are left out.
 */
export async function lockQuotes(
  tx: ScopedTransaction,
  scope: Scope,
  ids: readonly string[],
): Promise<QuoteRow[]> {
  return tx.query<QuoteRow>(
    `SELECT ${COLUMNS} FROM quotes
     WHERE customer_id = $1 AND environment = $2 AND id = ANY ($3) ORDER BY id FOR UPDATE`,
    [scope.customerId, scope.environment, [...ids]],
  );
}

/** The same quotes as they stand, holding none: for what decides nothing. */
export async function readQuotes(
  tx: ScopedTransaction,
  scope: Scope,
  ids: readonly string[],
): Promise<QuoteRow[]> {
  return tx.query<QuoteRow>(
    `SELECT ${COLUMNS} FROM quotes
     WHERE customer_id = $1 AND environment = $2 AND id = ANY ($3)`,
    [scope.customerId, scope.environment, [...ids]],
  );
}

/** A quote that a payment of this transaction uses. The payment's row must be there at the commit. */
export interface QuoteUse {
  readonly quoteId: string;
  readonly paymentId: string;
}

const USES = rowSource('used', { quoteId: 'text', paymentId: 'text' });

/**
 * Marks locked quotes as used. Throws where one is used, missing or expired at `at`: its holder has
 * seen that it is not.
 */
export async function markQuotesUsed(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  uses: readonly QuoteUse[],
  at: Date,
): Promise<void> {
  const marked = await tx.query(
    `UPDATE quotes q SET consumed_at = :at, payment_id = used.payment_id FROM ${USES.sql}
     WHERE q.customer_id = :customerId AND q.environment = :environment AND q.id = used.quote_id
       AND q.consumed_at IS NULL AND q.expires_at > :at
     RETURNING q.id`,
    { customerId, environment, at, ...USES.values(uses) },
  );
  if (marked.length !== uses.length) throw new Error('a quote that was held cannot be used');
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
