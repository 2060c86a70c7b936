import type { LockTime } from '../domain/quotes/lock-times.ts';
import type { QuoteRequest } from '../domain/quotes/price-quote.ts';

/** What a partner asks for, checked for form: two supported currencies and one amount. */
export interface QuoteOrder extends QuoteRequest {
  readonly lockFor: LockTime;
}
