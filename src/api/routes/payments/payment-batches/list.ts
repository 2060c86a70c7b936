import { Type } from 'typebox';
import { listBatches, sumBatches } from '../../../../db/payments/payment-batch-store.ts';
import { viewBatch } from '../../../../modules/payments/batches/batch-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';
import { BatchStatus, PaymentBatch } from '../../../schemas/payment-batch.ts';

const LIST = 'payment-batches';

/** GET /payment-batches */
export function listPaymentBatches(app: App, deps: HttpDeps): void {
  app.get(
    '/payment-batches',
    {
      config: { permission: 'payments:read' },
      schema: {
        operationId: 'listPaymentBatches',
        summary: 'List payment batches',
        tags: ['Payments'],
        querystring: listQuery({ status: Type.Optional(BatchStatus) }),
        response: {
          200: listOf(PaymentBatch, 'Batches, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    ({ scope, query }) =>
      deps.db.list(scope, async (tx) => {
        const page = await listBatches(tx, scope, query, pageRequest(query, LIST));
        const ids = page.items.map(({ id }) => id);
        const sums = await sumBatches(tx, scope, ids);
        return listAnswer(page, LIST, (batch) => viewBatch(batch, sums));
      }),
  );
}
