import { createAcceptPayment } from '../../../modules/payments/accept-payment.ts';
import type { HttpDeps } from '../../deps.ts';
import type { App } from '../../../web/kit/http/app-type.ts';
import { requireIdempotencyKey } from '../../idempotency-key.ts';
import { sendAnswer } from '../../idempotent-post.ts';
import { RequiredIdempotencyHeaders } from '../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../schemas/error.ts';
import { NewPayment, Payment } from '../../schemas/payment.ts';
import { paymentFingerprint } from './payment-fingerprint.ts';
import { readPaymentOrder } from './read-payment-order.ts';

/** POST /payments */
export function createPayment(app: App, deps: HttpDeps): void {
  const { workflows, starts } = deps;
  const acceptPayment = createAcceptPayment(deps);
  app.post(
    '/payments',
    {
      config: { permission: 'payments:write', ratePolicy: 'payments' },
      schema: {
        operationId: 'createPayment',
        summary: 'Make a payment',
        description:
          'Requires an Idempotency-Key. A repeated request makes no second payment. It answers 201 with the first answer and `Idempotent-Replayed: true`.',
        tags: ['Payments'],
        headers: RequiredIdempotencyHeaders,
        body: NewPayment,
        response: {
          201: Payment,
          ...errorResponses(
            [
              'unsupported_currency',
              'unsupported_asset',
              'unsupported_network',
              'amount_precision_exceeded',
              'idempotency_key_required',
              ...IDEMPOTENCY_CODES,
              'resource_not_found',
              'end_user_not_active',
              'kyc_not_approved',
              'bank_account_pending',
              'bank_account_disabled',
              'wallet_not_active',
              'wallet_not_proved',
              'wallet_cooling_off',
              'travel_rule_data_required',
              'payee_name_mismatch',
              'currency_mismatch',
              'scheduling_not_supported',
              'corridor_unavailable',
              'country_restricted',
              'amount_below_minimum',
              'amount_above_maximum',
              'insufficient_balance',
              'limit_reached',
              'quote_already_used',
              'quote_expired',
              'quote_mismatch',
              'rate_unavailable',
            ],
            { body: true },
          ),
        },
      },
    },
    async (request, reply) => {
      const { scope, actor } = request;
      const requestId = request.id;
      const idempotencyKey = requireIdempotencyKey(request);
      const order = readPaymentOrder(request, request.body);
      const acceptance = await starts.ahead(() =>
        acceptPayment(scope, {
          ...{ idempotencyKey, actor, requestId, order },
          fingerprint: paymentFingerprint(request.losslessBody),
        }),
      );
      if (!acceptance.isReplay) {
        const { workflowId, paymentId, rail, currency } = acceptance;
        const payment = { ...scope, paymentId, rail, currency };
        // The answer does not wait for Temporal: what is lost here, the reconciler starts.
        starts.run('start payment', () => workflows.startPayment(workflowId, payment, requestId), {
          requestId,
        });
        if (order.funding !== null) {
          const { environment } = scope;
          const { network } = order.funding;
          const read = () => workflows.wakeDeposits({ environment, network });
          starts.run('read a chain for deposits', read, { requestId });
        }
      }
      return sendAnswer(reply, acceptance);
    },
  );
}
