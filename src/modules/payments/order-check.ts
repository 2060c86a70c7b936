import type { Parties } from '../../db/parties/party-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { UsedQuote } from '../../db/payments/quote-store.ts';
import type { Problem, Refusal } from '../../domain/errors/refusal.ts';
import type { Corridor } from '../../domain/payments/corridors/corridor.ts';
import type { PaymentDestination } from '../../domain/payments/payment-destination.ts';
import type { OrderPrice } from '../../domain/payments/price-order.ts';
import type { TravelTransfer } from '../../domain/payments/travel-rule/travel-rule-provider.ts';
import type { PaymentOrder } from './payment-order.ts';

/** Where an order would go, and by what. */
export interface OrderRoute {
  /** Of the bank account, open or not; null where the account is not the caller's, and to a wallet. */
  readonly corridor: Corridor | null;
  /** With the rail or network that it takes; null where the account or wallet is not the caller's. */
  readonly destination: PaymentDestination | null;
  /** Of the bank account; null where there is none. */
  readonly country: string | null;
  /** Whether it asks for an amount that the account or wallet can be paid: only then it is priced. */
  readonly isPriceable: boolean;
}

/** What an order costs, and the quote that says so; null without one. */
export interface OrderPricing {
  readonly price: OrderPrice;
  readonly quote: PricingQuote | null;
}

/** The quote of an order that is not paid by its own currency. */
export interface PricingQuote extends UsedQuote {
  /** Nothing is sent first at its rate from then on. */
  readonly rateHeldUntil: Date;
  /** Before it the payment is priced anew when its rate is over; null: it fails then. */
  readonly requoteUntil: Date | null;
}

/** The day that it is for, and the moment from which it may leave; null: at once. */
export type PaymentSchedule = Pick<PaymentRow, 'scheduledFor' | 'releaseAt'>;

/** An order with everything that decides whether it is accepted. */
export interface OrderCheck {
  readonly order: PaymentOrder;
  readonly parties: Parties;
  /** Everything that stands in its way; empty where it can be accepted. */
  readonly problems: readonly Problem[];
  readonly route: OrderRoute;
  /** Null where it has no price. */
  readonly pricing: OrderPricing | null;
  /** Why it has no price; among the problems too. */
  readonly unpriced: Refusal | null;
  /** When it may leave; null where its day is among the problems, or its rail is not known. */
  readonly schedule: PaymentSchedule | null;
  /** Who sends it to whom, as it goes with a transfer to a wallet; null where nothing goes with it. */
  readonly transfer: TravelTransfer | null;
}
