import type { KeyedOptions, RequestOptions } from '../call-options.ts';
import type { NewPaymentBatch, PaymentBatch, PaymentBatchItem } from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.paymentBatches`: up to 1,000 payments in one request, each judged by itself. */
export class PaymentBatches extends Resource {
  create(batch: NewPaymentBatch, options?: KeyedOptions): Promise<PaymentBatch> {
    return this.api.send('createPaymentBatch', { body: batch }, options);
  }

  get(paymentBatchId: string, options?: RequestOptions): Promise<PaymentBatch> {
    return this.api.send('getPaymentBatch', { path: { paymentBatchId } }, options);
  }

  /** The newest first. */
  list(filters?: Query<'listPaymentBatches'>, options?: RequestOptions): List<PaymentBatch> {
    return this.api.list('listPaymentBatches', { query: filters }, options);
  }

  /** What became of each payment of a batch. */
  listItems(
    paymentBatchId: string,
    filters?: Query<'listPaymentBatchItems'>,
    options?: RequestOptions,
  ): List<PaymentBatchItem> {
    const input = { path: { paymentBatchId }, query: filters };
    return this.api.list('listPaymentBatchItems', input, options);
  }
}
