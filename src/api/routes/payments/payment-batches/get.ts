import { Type } from 'typebox';
import { findBatch, sumBatches } from '../../../../db/payments/payment-batch-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { viewBatch } from '../../../../modules/payments/batches/batch-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { PaymentBatch } from '../../../schemas/payment-batch.ts';

/** GET /payment-batches/:paymentBatchId */
export function getPaymentBatch(app: App, deps: HttpDeps): void {
  app.get(
    '/payment-batches/:paymentBatchId',
    {
      config: { permission: 'payments:read' },
      schema: {
        operationId: 'getPaymentBatch',
        summary: 'Read a payment batch',
        tags: ['Payments'],
        params: Type.Object({
          paymentBatchId: Type.String({ description: 'The id of the batch.' }),
        }),
        response: { 200: PaymentBatch, ...errorResponses([]) },
      },
    },
    ({ scope, params }) =>
      deps.db.read(scope, async (tx) => {
        const batch = requireFound(await findBatch(tx, scope, params.paymentBatchId));
        return viewBatch(batch, await sumBatches(tx, scope, [batch.id]));
      }),
  );
}
