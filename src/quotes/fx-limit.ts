import type { ScopedTransaction } from '../db/database.ts';
import { readFxExposure } from '../db/fx-position-store.ts';
import type { FxLeg } from '../domain/fx/fx-leg.ts';
import { netOpenPosition } from '../domain/fx/open-position.ts';
import { quoteTable } from '../domain/fx/quote-table.ts';
import { parseRate } from '../domain/fx/rate.ts';
import type { QuotedTerms } from '../domain/payments/price-order.ts';
import { rateUnavailable } from './quote-rates.ts';
import type { QuoteCircumstances } from './draft-quote.ts';

/** What is still to be had of the operator's limit on our open position. */
export interface FxLimit {
  /**
   * Takes a new quote's part of it. Refuses with rate_unavailable one that would enlarge the position
   * beyond the limit; one that makes it smaller is always taken.
   */
  take(quote: QuotedTerms): void;
}

const UNLIMITED: FxLimit = { take: () => undefined };

/**
 * The limit of an environment as it stands by what is committed; what others take meanwhile is not seen,
 * so that nobody waits for anybody. Asks the database only where there is a limit.
 */
export async function openFxLimit(
  tx: ScopedTransaction,
  legs: readonly FxLeg[],
  { settings, environment, at, fields }: QuoteCircumstances,
): Promise<FxLimit> {
  const limit = parseRate(settings.quotes[environment].positionLimit ?? '');
  if (limit === null) return UNLIMITED;
  const open = new Map<string, bigint>();
  for (const { currency, settled, held, quoted } of await readFxExposure(tx, environment, at)) {
    open.set(currency, settled + held + quoted);
  }
  const { baseCurrency, rateMaxAgeMs: maxAgeMs } = settings.fx;
  const { rows } = quoteTable(legs, { base: baseCurrency, at, maxAgeMs });
  const rates = new Map(rows.map(({ quote, rate }) => [quote, rate]));
  const valueOf = (positions: ReadonlyMap<string, bigint>) =>
    netOpenPosition(
      [...positions].map(([currency, minor]) => ({ currency, minor })),
      baseCurrency,
      (currency) => rates.get(currency) ?? null,
    );
  return {
    take({ sourceCurrency, targetCurrency, convertedAmount, targetAmount }) {
      const next = new Map(open)
        .set(sourceCurrency, (open.get(sourceCurrency) ?? 0n) + convertedAmount)
        .set(targetCurrency, (open.get(targetCurrency) ?? 0n) - targetAmount);
      const [before, after] = [valueOf(open), valueOf(next)];
      const isKnown = before !== null && after !== null;
      if (!isKnown || (after.gt(limit) && after.gt(before))) throw rateUnavailable(fields.currency);
      for (const [currency, minor] of next) open.set(currency, minor);
    },
  };
}
