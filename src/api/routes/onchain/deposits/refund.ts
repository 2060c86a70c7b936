import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { refundDeposit as refund } from '../../../../modules/onchain/deposits/refund-deposit.ts';
import { refuseProblems } from '../../../../domain/errors/refuse-problems.ts';
import { parseAmount } from '../../../../domain/money/amount.ts';
import { ANY_STABLECOIN } from '../../../../domain/money/currencies.ts';
import { describeAmountProblem } from '../../../amount-problem.ts';
import { bodyFingerprint } from '../../../body-fingerprint.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { requireIdempotencyKey } from '../../../idempotency-key.ts';
import { sendAnswer } from '../../../idempotent-post.ts';
import { RequiredIdempotencyHeaders } from '../../../schemas/common.ts';
import { NewDepositRefund } from '../../../schemas/deposit.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { Payment } from '../../../schemas/payment.ts';

/** POST /deposits/:depositId/refund */
export function refundDeposit(app: App, deps: HttpDeps): void {
  const { workflows, starts } = deps;
  app.post(
    '/deposits/:depositId/refund',
    {
      // It moves money: a key that may not make payments makes no refund either.
      config: { permission: 'payments:write', ratePolicy: 'payments' },
      schema: {
        operationId: 'refundDeposit',
        summary: 'Refund a deposit',
        description:
          'Makes a payment in the asset of the deposit from your balance to a registered wallet. The refund does not go to the address that sent the deposit, because that address often belongs to an exchange. The answer is that of POST /payments, and both operations share their idempotency keys.',
        tags: ['Deposits'],
        headers: RequiredIdempotencyHeaders,
        params: Type.Object({ depositId: Type.String({ description: 'The id of the deposit.' }) }),
        body: NewDepositRefund,
        response: {
          201: Payment,
          ...errorResponses(
            [
              'amount_precision_exceeded',
              'idempotency_key_required',
              ...IDEMPOTENCY_CODES,
              'deposit_not_final',
              'refund_exceeds_deposit',
              'resource_not_found',
              'end_user_not_active',
              'kyc_not_approved',
              'wallet_not_active',
              'wallet_not_proved',
              'wallet_cooling_off',
              'unsupported_asset',
              'corridor_unavailable',
              'amount_below_minimum',
              'amount_above_maximum',
              'insufficient_balance',
            ],
            { body: true },
          ),
        },
      },
    },
    async (request, reply) => {
      const { scope, actor, params, body } = request;
      const { walletId, endUserId = null } = body;
      const idempotencyKey = requireIdempotencyKey(request);
      const order = {
        ...{ depositId: params.depositId, walletId, endUserId },
        amount: body.amount === undefined ? null : readAmount(request),
      };
      const answer = await refund(deps, scope, order, {
        ...{ idempotencyKey, actor, requestId: request.id },
        fingerprint: bodyFingerprint({
          ...{ method: 'POST', path: `/deposits/${params.depositId}/refund` },
          ...{ losslessBody: request.losslessBody, decimalFields: ['amount'] },
        }),
      });
      if (!answer.isReplay) {
        const { workflowId, paymentId, rail, currency } = answer;
        const payment = { ...scope, paymentId, rail, currency };
        // The answer does not wait for Temporal: what is lost here, the reconciler starts.
        starts.run('start payment', () => workflows.startPayment(workflowId, payment, request.id), {
          requestId: request.id,
        });
      }
      return sendAnswer(reply, answer);
    },
  );
}

function readAmount(request: Pick<FastifyRequest, 'decimalText'>): bigint {
  const path = '/amount';
  const parsed = parseAmount(request.decimalText(path) ?? '', ANY_STABLECOIN);
  if (parsed.ok) return parsed.minor;
  throw refuseProblems([describeAmountProblem(parsed.problem, { path, currency: ANY_STABLECOIN })]);
}
