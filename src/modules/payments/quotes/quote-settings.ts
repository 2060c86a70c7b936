import type { QuotePricing } from '../../../domain/payments/quotes/quote-pricing.ts';
import type { Environment } from '../../../domain/scope.ts';

/** What the operator chose, as far as quotes care. */
export interface QuoteSettings {
  readonly fx: {
    /** ISO 4217; the currency of fixed fees. */
    readonly baseCurrency: string;
    /** Milliseconds after which a rate is stale. */
    readonly rateMaxAgeMs: number;
    /** Currencies whose peg holds no longer. */
    readonly releasedPegs: readonly string[];
  };
  readonly quotes: Readonly<Record<Environment, QuotePricing>>;
}
