import type { Network } from '../../../domain/onchain/network.ts';
import type { LockTime } from '../../../domain/payments/quotes/lock-times.ts';
import type { QuoteRequest } from '../../../domain/payments/quotes/price-quote.ts';

/** What a partner asks for, checked for form: two currencies or assets and one amount. */
export interface QuoteOrder extends QuoteRequest {
  /** Where an asset shall arrive; null of a quote to a currency. */
  readonly network: Network | null;
  /** How a currency is paid out, where the quote is made for one payment; left out where that is not known. */
  readonly paidOut?: { readonly rail: string; readonly country: string | null };
  readonly lockFor: LockTime;
}
