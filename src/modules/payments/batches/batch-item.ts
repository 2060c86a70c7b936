import type { Refusal } from '../../../domain/errors/refusal.ts';
import type { PaymentOrder } from '../payment-order.ts';

/** What POST /payments makes of a body, before anything is looked up. */
export interface ReadOrder {
  readonly order: PaymentOrder;
  /** Of the same body sent to POST /payments. */
  readonly fingerprint: Buffer;
}

/** An item as it was sent: an order, or what is wrong with its fields. */
export type BatchItem = {
  readonly idempotencyKey: string;
  /** Whom it names: there may be no such end-user. */
  readonly endUserId: string | null;
} & (
  | { readonly kind: 'ORDER'; readonly read: ReadOrder }
  | { readonly kind: 'NO_ORDER'; readonly refusal: Refusal }
);
