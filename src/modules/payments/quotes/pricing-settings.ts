import type { FeeSchedule } from '../../../domain/payments/fees/fee-schedule.ts';
import type { QuoteSettings } from './quote-settings.ts';

/** What the operator chose, as far as the price of a payment goes. */
export interface PricingSettings extends QuoteSettings {
  /** For payments in one currency, for quotes with an asset, and for the rail of any payment. */
  readonly fees: FeeSchedule;
}
