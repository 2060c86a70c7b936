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

const DESCRIPTION = `Accepts up to 1,000 payments in up to 2 MiB and processes them in order, each as POST /payments would.
Read the batch until it is COMPLETED, or wait for \`payment_batch.completed\`, and then read its items. A body that is
not a valid batch is refused with a 400. An item with invalid fields is \`REFUSED\`, and the other items are paid.`;

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
        summary: 'Create a payment batch',
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
