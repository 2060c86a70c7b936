import { Type } from 'typebox';
import { listBatchItems } from '../../../../db/payments/payment-batch-item-store.ts';
import { findBatch } from '../../../../db/payments/payment-batch-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { viewBatchItem } from '../../../../modules/payments/batches/batch-item-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';
import { BatchItemState, PaymentBatchItem } from '../../../schemas/payment-batch.ts';

/** A cursor is good for the items of one batch. */
const listName = (batchId: string): string => `items-of-${batchId.replace('_', '-')}`;

/** GET /payment-batches/:paymentBatchId/items */
export function listPaymentBatchItems(app: App, deps: HttpDeps): void {
  app.get(
    '/payment-batches/:paymentBatchId/items',
    {
      config: { permission: 'payments:read' },
      schema: {
        operationId: 'listPaymentBatchItems',
        summary: 'List the items of a payment batch',
        tags: ['Payments'],
        params: Type.Object({
          paymentBatchId: Type.String({ description: 'The id of the batch.' }),
        }),
        querystring: listQuery({ status: Type.Optional(BatchItemState) }),
        response: {
          200: listOf(PaymentBatchItem, 'The items, in the order of the request.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    ({ scope, params, query }) =>
      deps.db.list(scope, async (tx) => {
        const { id: batchId } = requireFound(await findBatch(tx, scope, params.paymentBatchId));
        const { status: state } = query;
        const filter = { batchId, ...(state === undefined ? {} : { state }) };
        const page = pageRequest(query, listName(batchId));
        const items = await listBatchItems(tx, scope, filter, page);
        return listAnswer(
          items,
          listName(batchId),
          (row) => viewBatchItem(row, batchId, deps.vault) as never,
        );
      }),
  );
}
