import type { Database } from '../../src/db/client/database.ts';
import { isDatabaseOutage } from '../../src/db/client/outage.ts';
import { findQuote } from '../../src/db/payments/quote-store.ts';
import { useQuote } from './use-quote.ts';
import { Refusal } from '../../src/domain/errors/refusal.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { addQuote, QUOTED_AT } from './sample-quote.ts';

export interface QuoteRace {
  /** Payments whose transaction committed with the quote. */
  readonly winners: readonly string[];
  /** What the others were told, by how many. */
  readonly refusals: Readonly<Record<string, number>>;
  /** The payment that the quote names in the end. */
  readonly paymentId: string | null;
}

/** All these payments use one quote at once, as many of them in transactions as there are connections. */
export async function raceForQuote(
  db: Database,
  scope: Scope,
  paymentIds: readonly string[],
): Promise<QuoteRace> {
  const quote = await addQuote(db, scope);
  const winners: string[] = [];
  const refusals: Record<string, number> = {};
  const use = async (paymentId: string): Promise<void> => {
    try {
      const order = { quoteId: quote.id, paymentId, at: QUOTED_AT };
      await db.write(scope, (tx) => useQuote(tx, scope, order));
      winners.push(paymentId);
    } catch (error) {
      // No connection came free in time: the API answers 503, and the client comes again.
      if (isDatabaseOutage(error)) return use(paymentId);
      const code = error instanceof Refusal ? error.code : String(error);
      refusals[code] = (refusals[code] ?? 0) + 1;
    }
  };
  await Promise.all(paymentIds.map(use));
  const stored = await db.read(scope, (tx) => findQuote(tx, scope, quote.id));
  return { winners, refusals, paymentId: stored?.paymentId ?? null };
}
