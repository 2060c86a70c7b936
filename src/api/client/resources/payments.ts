import type { KeyedOptions, KeyedVersionedOptions, RequestOptions } from '../call-options.ts';
import type { NewPayment, Payment, PaymentValidation, TimelineRow } from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.payments`: payouts, and what became of them. */
export class Payments extends Resource {
  /**
   * Makes a payment: once for each `idempotencyKey`, for ever. The answer is what was answered first;
   * `get` says where the payment stands now.
   */
  create(payment: NewPayment, options?: KeyedOptions): Promise<Payment> {
    return this.api.send('createPayment', { body: payment }, options);
  }

  /** Judges a payment as `create` would now, and does nothing. */
  validate(payment: NewPayment, options?: RequestOptions): Promise<PaymentValidation> {
    return this.api.send('validatePayment', { body: payment }, options);
  }

  get(paymentId: string, options?: RequestOptions): Promise<Payment> {
    return this.api.send('getPayment', { path: { paymentId } }, options);
  }

  /** The newest first. */
  list(filters?: Query<'listPayments'>, options?: RequestOptions): List<Payment> {
    return this.api.list('listPayments', { query: filters }, options);
  }

  /** What happened to a payment, and what is expected next. */
  timeline(
    paymentId: string,
    filters?: Query<'getPaymentTimeline'>,
    options?: RequestOptions,
  ): List<TimelineRow> {
    return this.api.list('getPaymentTimeline', { path: { paymentId }, query: filters }, options);
  }

  /** Stops a payment of which nothing was sent; 409 `payment_not_cancelable` afterwards. */
  cancel(paymentId: string, options?: KeyedVersionedOptions): Promise<Payment> {
    return this.api.send('cancelPayment', { path: { paymentId } }, options);
  }
}
