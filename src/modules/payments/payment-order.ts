import type { Network } from '../../domain/onchain/network.ts';
import type { OrderDestination } from '../../domain/payments/payment-destination.ts';

/** A deposit that an order asks to be paid by. */
export interface OrderedFunding {
  /** The order's source, too. */
  readonly asset: string;
  readonly network: Network;
  /** To which what the payment does not take of a deposit is refunded; null: it stays in the balance. */
  readonly refundWalletId: string | null;
}

/** What a partner asks for, checked for form: every field is of the right type and length. */
export interface PaymentOrder {
  readonly endUserId: string;
  readonly destination: OrderDestination;
  /** Minor units of `unit`: what the beneficiary receives. */
  readonly amount: bigint;
  /** A currency's code of ISO 4217, or an asset. */
  readonly unit: string;
  /** What the paying balance is in; null where the order does not say: the quote's, or `unit`. */
  readonly sourceUnit: string | null;
  readonly quoteId: string | null;
  /**
   * Minor units of `sourceUnit`, which it names then: the most that it may cost, fees included, where it is priced anew
   * when its rate is over; null: it fails then.
   */
  readonly maxSourceAmount: bigint | null;
  /** The deposit that pays for it, of the source; null: the balance pays. */
  readonly funding: OrderedFunding | null;
  readonly externalId: string | null;
  /** Goes to the beneficiary's statement. */
  readonly reference: string | null;
  /** The day on which it leaves, YYYY-MM-DD at the rail; null: at once. */
  readonly scheduledFor: string | null;
  readonly purpose: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}
