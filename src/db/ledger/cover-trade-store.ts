import type { CoverTrade } from '../../domain/payments/fx/cover-trade.ts';
import type { TradeSide } from '../../domain/reconciliation/exceptions/trade-tie.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

interface NewCoverTrade extends CoverTrade {
  readonly id: string;
  /** The ledger transaction that moves it: written later in the same database transaction. */
  readonly transactionId: string;
  readonly at: Date;
}

/**
 * Writes a cover trade; false where its reference was recorded before. Throws where the transaction uses
 * no approval of two operators of exactly this trade. The scope is the platform account's.
 */
export async function insertCoverTrade(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { id, reference, sold, bought, transactionId, at }: NewCoverTrade,
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO cover_trades (id, customer_id, environment, reference, sold_currency, sold_amount,
       sold_rail, bought_currency, bought_amount, bought_rail, transaction_id, recorded_at)
     VALUES (:id, :customerId, :environment, :reference, :soldCurrency, :soldAmount, :soldRail,
       :boughtCurrency, :boughtAmount, :boughtRail, :transactionId, :at)
     ON CONFLICT (environment, reference) DO NOTHING RETURNING id`,
    {
      ...{ id, customerId, environment, reference, transactionId, at },
      ...{ soldCurrency: sold.currency, soldAmount: sold.minor, soldRail: sold.rail },
      ...{ boughtCurrency: bought.currency, boughtAmount: bought.minor, boughtRail: bought.rail },
    },
  );
  return rows.length > 0;
}

/** Was a trade of that reference recorded? The scope is the platform account's. */
export async function isCoverTradeKnown(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  reference: string,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT id FROM cover_trades WHERE customer_id = $1 AND environment = $2 AND reference = $3`,
    [customerId, environment, reference],
  );
  return rows.length > 0;
}

/** A trade that was recorded. */
export interface CoverTradeRow extends CoverTrade {
  readonly id: string;
  readonly environment: Environment;
}

interface StoredTrade {
  readonly id: string;
  readonly environment: Environment;
  readonly reference: string;
  readonly soldCurrency: string;
  readonly soldAmount: bigint;
  readonly soldRail: string;
  readonly boughtCurrency: string;
  readonly boughtAmount: bigint;
  readonly boughtRail: string;
}

const COLUMNS = `t.id, t.environment, t.reference, t.sold_currency AS "soldCurrency",
  t.sold_amount AS "soldAmount", t.sold_rail AS "soldRail", t.bought_currency AS "boughtCurrency",
  t.bought_amount AS "boughtAmount", t.bought_rail AS "boughtRail"`;

const toTrade = (row: StoredTrade): CoverTradeRow => ({
  ...{ id: row.id, environment: row.environment, reference: row.reference },
  sold: { currency: row.soldCurrency, minor: row.soldAmount, rail: row.soldRail },
  bought: { currency: row.boughtCurrency, minor: row.boughtAmount, rail: row.boughtRail },
});

/** The trades of that reference: at most one in each environment. System role only, as the rest of this file. */
export async function findCoverTrades(
  tx: SystemTransaction,
  reference: string,
): Promise<CoverTradeRow[]> {
  const rows = await tx.query<StoredTrade>(
    `SELECT ${COLUMNS} FROM cover_trades t
     WHERE t.environment IN ('test', 'live') AND t.reference = $1`,
    [reference],
  );
  return rows.map(toTrade);
}

/** The trade whose reference a line bears as its own or as the bank's; null where there is none, or there are two. */
export async function findTradeOnLine(
  tx: SystemTransaction,
  { statementId, line }: { readonly statementId: bigint; readonly line: number },
): Promise<CoverTradeRow | null> {
  const rows = await tx.query<StoredTrade>(
    `SELECT ${COLUMNS} FROM statement_lines l JOIN cover_trades t
       ON t.environment = l.environment AND t.reference IN (l.reference, l.bank_reference)
     WHERE l.statement_id = $1 AND l.line = $2 LIMIT 2`,
    [statementId, line],
  );
  const [only] = rows;
  return only === undefined || rows.length > 1 ? null : toTrade(only);
}

/** The reference of the trade that undoes a trade; null where none does. */
export async function findUndoingTrade(
  tx: SystemTransaction,
  tradeId: string,
): Promise<string | null> {
  const [row] = await tx.query<{ reference: string | null }>(
    'SELECT cover_trade_undone_by($1) AS reference',
    [tradeId],
  );
  return row?.reference ?? null;
}

/** An act that tied a line to one part of a trade. */
interface TradeTieRow {
  readonly act: string;
  /** The line `12/3`, or the credit `fc_...`. */
  readonly exceptionId: string;
  readonly isReversed: boolean;
}

/** The acts that tied lines to a part of a trade, the oldest first; at most one of them stands. */
export async function listTradeTies(
  tx: SystemTransaction,
  tradeId: string,
  side: TradeSide,
): Promise<TradeTieRow[]> {
  return tx.query<TradeTieRow>(
    `SELECT a.id AS act, a.exception_id AS "exceptionId",
       EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id) AS "isReversed"
     FROM exception_acts a
     WHERE a.act = 'TIE_TRADE' AND a.content ->> 'tradeId' = $1 AND a.content ->> 'side' = $2
     ORDER BY a.seq`,
    [tradeId, side],
  );
}

/** Of unmatched credits, the reference of the trade that each seems to be of: its line bears it, and no line shows that side yet. */
export async function findTradesOnCredits(
  tx: SystemTransaction,
  creditIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (creditIds.length === 0) return new Map();
  const rows = await tx.query<{ id: string; reference: string }>(
    `SELECT c.id, min(t.reference) AS reference
     FROM incoming_credits c JOIN statement_lines l ON l.statement_id = c.statement_id AND l.line = c.line
     JOIN cover_trades t ON t.environment = c.environment AND t.reference IN (l.reference, l.bank_reference)
       AND t.bought_currency = c.currency AND t.bought_amount >= c.minor
     WHERE c.id = ANY ($1) AND c.outcome IS NULL AND NOT EXISTS (SELECT FROM exception_acts a
       WHERE a.act = 'TIE_TRADE' AND a.content ->> 'tradeId' = t.id AND a.content ->> 'side' = 'BOUGHT'
         AND NOT EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id))
     GROUP BY c.id HAVING count(*) = 1`,
    [[...creditIds]],
  );
  return new Map(rows.map(({ id, reference }) => [id, reference]));
}
