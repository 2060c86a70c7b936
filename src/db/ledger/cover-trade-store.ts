import type { CoverTrade } from '../../domain/payments/fx/cover-trade.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

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
