import type { ScopedTransaction } from '../../../db/client/database.ts';
import { lockFxExposureOf, readFxExposureTo } from '../../../db/ledger/fx-position-store.ts';
import type { FxLeg } from '../../../domain/payments/fx/fx-leg.ts';
import {
  widestOpenPosition,
  type UncertainPosition,
} from '../../../domain/payments/fx/open-position.ts';
import { quoteTable } from '../../../domain/payments/fx/quote-table.ts';
import { parseRate } from '../../../domain/payments/fx/rate.ts';
import type { QuotedTerms } from '../../../domain/payments/price-order.ts';
import type { Scope } from '../../../domain/scope.ts';
import { rateUnavailable } from './quote-rates.ts';
import type { QuoteCircumstances } from './draft-quote.ts';

/** What is still to be had of the operator's limit on our open position. */
export interface FxLimit {
  /**
   * Takes a new quote's part of it. Refuses with rate_unavailable one that, once used, would enlarge the
   * position beyond the limit; one that makes it smaller is always taken.
   */
  take(quote: QuotedTerms, fields: QuoteCircumstances['fields']): void;
}

const UNLIMITED: FxLimit = { take: () => undefined };

interface LimitCircumstances extends Pick<QuoteCircumstances, 'settings' | 'at'> {
  /** Whether the transaction stores what it takes; else it only tells what could be taken, and waits for nobody. */
  readonly isToTake: boolean;
}

/**
 * The limit of an environment as it stands by what is committed. Requests of one customer that take of it take turns; what
 * other customers take meanwhile is not seen, so that none waits for another. Payments of all customers count, and the
 * caller's own unused quotes, which keep no other customer from a quote. Any payment under way may be canceled, and any
 * quote not be used: they only enlarge the position. Asks the database only where there is a limit.
 */
export async function openFxLimit(
  tx: ScopedTransaction,
  scope: Scope,
  legs: readonly FxLeg[],
  { settings, at, isToTake }: LimitCircumstances,
): Promise<FxLimit> {
  const limit = parseRate(settings.quotes[scope.environment].positionLimit ?? '');
  if (limit === null) return UNLIMITED;
  if (isToTake) await lockFxExposureOf(tx, scope);
  const open: Positions = new Map();
  for (const row of await readFxExposureTo(tx, scope, at)) {
    const [most, least] = [row.heldLong + row.quotedLong, row.heldShort + row.quotedShort];
    add(open, row.currency, row.settled + most, row.settled + least);
  }
  const { baseCurrency, rateMaxAgeMs: maxAgeMs } = settings.fx;
  const { rows } = quoteTable(legs, { base: baseCurrency, at, maxAgeMs });
  const rates = new Map(rows.map(({ quote, rate }) => [quote, rate]));
  const sizeOf = (positions: Positions) =>
    widestOpenPosition([...positions.values()], baseCurrency, (one) => rates.get(one) ?? null);
  return {
    take({ sourceCurrency, targetCurrency, convertedAmount, targetAmount }, fields) {
      const used: Positions = new Map(open);
      add(used, sourceCurrency, convertedAmount, convertedAmount);
      add(used, targetCurrency, -targetAmount, -targetAmount);
      const [before, after] = [sizeOf(open), sizeOf(used)];
      const isKnown = before !== null && after !== null;
      if (!isKnown || (after.gt(limit) && after.gt(before))) throw rateUnavailable(fields.currency);
      add(open, sourceCurrency, convertedAmount, 0n);
      add(open, targetCurrency, 0n, -targetAmount);
    },
  };
}

type Positions = Map<string, UncertainPosition>;

function add(positions: Positions, currency: string, most: bigint, least: bigint): void {
  const known = positions.get(currency);
  positions.set(currency, {
    currency,
    most: (known?.most ?? 0n) + most,
    least: (known?.least ?? 0n) + least,
  });
}
