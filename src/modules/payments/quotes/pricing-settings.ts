import type { FeeSchedule } from '../../../domain/payments/fees/fee-schedule.ts';
import type { QuoteSettings } from './quote-settings.ts';

/** What the operator chose, as far as the price of a payment goes. */
export interface PricingSettings extends QuoteSettings {
  /** For payments in one currency, and for quotes with an asset. */
  readonly fees: FeeSchedule;
}
