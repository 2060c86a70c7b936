import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { storeBankCallback } from '../../../../db/payments/transfer-report-store.ts';
import { findPayment } from '../../../../db/payments/payment-store.ts';
import { Refusal } from '../../../../domain/errors/refusal.ts';
import type { Scope } from '../../../../domain/scope.ts';
import { parseBankCallback } from '../../../../domain/payments/bank-messages/parse-callback.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { signedEnvironment } from '../../../signed-environment.ts';

const NO_BYTES = Buffer.alloc(0);

const BankCallback = Type.Object(
  {
    reference: Type.Unknown({
      description: 'The reference of the transfer that the service sent.',
    }),
    status: Type.Unknown({
      description: 'The status of the transfer: ACCEPTED, SETTLED, REJECTED, or RETURNED.',
    }),
    bankReference: Type.Optional(
      Type.Unknown({ description: 'The reference that the bank gave the transfer.' }),
    ),
    reason: Type.Optional(
      Type.Unknown({ description: 'For REJECTED and RETURNED: the reason code.' }),
    ),
    amount: Type.Optional(
      Type.Unknown({
        description:
          'For RETURNED: the returned amount, as decimal text in the currency of the transfer.',
      }),
    ),
    at: Type.Unknown({ description: 'The time of the status change, as ISO 8601.' }),
  },
  { additionalProperties: true },
);

/**
 * POST /rails/http-bank/callbacks: stored first, answered, and only then the payment's workflow is
 * woken. Duplicates, late ones and unknown references are normal; what a report means is judged
 * where the payment is locked, never here.
 */
export function receiveBankCallback(app: App, deps: HttpDeps): void {
  const { db, clock, workflows, wakes, settings } = deps;
  const sender = ({ headers, rawBody = NO_BYTES }: FastifyRequest) =>
    signedEnvironment({ headers, rawBody }, settings.bankCallbackSecrets, clock.now());
  app.post(
    '/rails/http-bank/callbacks',
    {
      config: { public: true },
      // Before the schema: who cannot sign learns nothing of what a callback looks like.
      preValidation: async (request) => void sender(request),
      schema: {
        operationId: 'receiveBankCallback',
        summary: 'Receive a report of a bank',
        description:
          'The bank reports on a transfer, with a signature as in Standard Webhooks 1.0. A report with an unknown reference is accepted too.',
        tags: ['Provider callbacks'],
        body: BankCallback,
        response: {
          202: Type.Object(
            {},
            { additionalProperties: false, description: 'The report was accepted.' },
          ),
          ...errorResponses(['invalid_signature'], { body: true, public: true }),
        },
      },
    },
    async (request, reply) => {
      const { environment, reportId } = sender(request);
      const parsed = parseBankCallback(request.body);
      if (!parsed.ok) {
        const path = parsed.problem === 'not_an_object' ? '' : `/${parsed.problem}`;
        const message = 'The field is missing or malformed.';
        throw new Refusal('validation_failed', 'The callback does not match the contract.', [
          { path, code: 'validation_failed', message },
        ]);
      }
      const stored = await storeBankCallback(
        db,
        environment,
        { ...parsed.callback, reportId },
        clock.now(),
      );
      const { customerId, paymentId } = stored;
      if (customerId !== null && paymentId !== null) {
        const scope: Scope = { customerId, environment };
        const requestId = request.id;
        const wake = async () => {
          const payment = await db.read(scope, (tx) => findPayment(tx, scope, paymentId));
          if (payment === null) return;
          const ref = { ...scope, paymentId };
          await workflows.wakePayment(payment.workflowId, ref, stored.id.toString(), requestId);
        };
        wakes.run('wake payment', wake, { requestId });
      }
      return reply.code(202).send({});
    },
  );
}
