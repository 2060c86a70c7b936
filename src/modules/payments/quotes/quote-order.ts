import type { Network } from '../../../domain/onchain/network.ts';
import type { LockTime } from '../../../domain/payments/quotes/lock-times.ts';
import type { QuoteRequest } from '../../../domain/payments/quotes/price-quote.ts';

/** What a partner asks for, checked for form: two currencies or assets and one amount. */
export interface QuoteOrder extends QuoteRequest {
  /** Where an asset shall arrive; null of a quote to a currency. */
  readonly network: Network | null;
  readonly lockFor: LockTime;
}
