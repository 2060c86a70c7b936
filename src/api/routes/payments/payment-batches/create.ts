import type { ScopedTransaction } from '../../../../db/client/database.ts';
import { createPaymentBatch as create } from '../../../../modules/payments/batches/create-payment-batch.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import {
  NewPaymentBatch,
  PaymentBatch,
  PaymentBatchShape,
} from '../../../schemas/payment-batch.ts';
import { readItems } from './read-items.ts';

/** 2 MiB. */
const BATCH_BYTES_MAX = 2_097_152;

const DESCRIPTION = `Takes up to 1,000 payments in 2 MiB and judges them one after the other, each as POST /payments would.
Read the batch, or wait for \`payment_batch.completed\`, and then its items. What has the shape of no batch is
refused whole with a 400; an item whose fields do not fit is \`REFUSED\`, and the others are paid.`;

/** POST /payment-batches: many payments at once. */
export function createPaymentBatch(app: App, deps: HttpDeps): void {
  const { workflows, starts } = deps;
  app.post(
    '/payment-batches',
    {
      bodyLimit: BATCH_BYTES_MAX,
      config: {
        permission: 'payments:write',
        ratePolicy: 'paymentBatches',
        judgesItems: true,
        documentedBody: NewPaymentBatch,
      },
      schema: {
        operationId: 'createPaymentBatch',
        summary: 'Make many payments',
        description: DESCRIPTION,
        tags: ['Payments'],
        headers: OptionalIdempotencyHeaders,
        body: PaymentBatchShape,
        response: {
          201: PaymentBatch,
          ...errorResponses(['idempotency_key_required', ...IDEMPOTENCY_CODES], { body: true }),
        },
      },
    },
    async (request, reply) => {
      const { scope, actor, id: requestId } = request;
      const items = await readItems(request, request.body.items);
      let batchId: string | null = null;
      try {
        const take = async (tx: ScopedTransaction) => {
          const body = await create(deps, tx, scope, { items, actor, requestId });
          batchId = body.id;
          return { status: 201, body, subject: null };
        };
        return await answerPost(request, reply, deps, take, { decimalFields: ['items.*.amount'] });
      } finally {
        // The commit may have happened whatever became of the answer; what is lost here, the reconciler starts.
        if (batchId !== null) {
          const batch = { ...scope, batchId };
          starts.run('start payment batch', () => workflows.startPaymentBatch(batch, requestId), {
            requestId,
          });
        }
      }
    },
  );
}
