import { Type } from 'typebox';
import { readHistory } from '../../../db/payments/payment-history-store.ts';
import { cancelPayment as cancel } from '../../../modules/payments/cancel-payment.ts';
import { ENDED } from '../../../modules/payments/payment-arrival.ts';
import { paymentView } from '../../../modules/payments/payment-view.ts';
import type { HttpDeps } from '../../deps.ts';
import type { App } from '../../../web/kit/http/app-type.ts';
import { answerPost } from '../../idempotent-post.ts';
import { requireVersionOf } from '../../if-match.ts';
import { ActionHeaders } from '../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES, IF_MATCH_CODES } from '../../schemas/error.ts';
import { Payment } from '../../schemas/payment.ts';

/** POST /payments/:paymentId/cancel */
export function cancelPayment(app: App, deps: HttpDeps): void {
  const { vault, workflows, wakes } = deps;
  app.post(
    '/payments/:paymentId/cancel',
    {
      config: { permission: 'payments:write' },
      schema: {
        operationId: 'cancelPayment',
        summary: 'Cancel a payment',
        description:
          'Cancels a payment permanently if nothing of it has been sent. Its funds are back in your balance when the answer arrives. Repeating the request returns the same answer.',
        tags: ['Payments'],
        headers: ActionHeaders,
        params: Type.Object({ paymentId: Type.String({ description: 'The id of the payment.' }) }),
        response: {
          200: Payment,
          ...errorResponses(['payment_not_cancelable', ...IDEMPOTENCY_CODES, ...IF_MATCH_CODES], {
            body: true,
          }),
        },
      },
    },
    async (request, reply) => {
      const { scope, actor, params } = request;
      const requestId = request.id;
      const order = { ...params, actor, requireVersion: requireVersionOf(request) };
      let endWorkflow = () => {};
      try {
        return await answerPost(request, reply, deps, async (tx) => {
          const payment = await cancel(deps, tx, scope, order);
          const { id: paymentId, workflowId } = payment;
          const wake = () =>
            workflows.wakePayment(workflowId, { ...scope, paymentId }, 'cancel', requestId);
          endWorkflow = () => {
            wakes.run('wake canceled payment', wake, { requestId });
          };
          const history = await readHistory(tx, scope, [paymentId]);
          const subject = { ...payment, resourceId: paymentId };
          const body = paymentView(payment, { history, arrival: ENDED }, vault);
          return { status: 200, body, subject };
        });
      } finally {
        // Whatever became of the answer: the commit may have happened, and a wake too many is harmless.
        endWorkflow();
      }
    },
  );
}
