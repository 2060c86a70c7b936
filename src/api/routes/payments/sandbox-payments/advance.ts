import { Type } from 'typebox';
import { findPayment } from '../../../../db/payments/payment-store.ts';
import { readAttempts } from '../../../../db/payments/settlement-attempt-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { judgeAdvance } from '../../../../domain/sandbox/judge-advance.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPostAfter } from '../../../idempotent-post.ts';
import {
  controlRefusal,
  moveNotPossible,
  noSandbox,
  requireTestKey,
} from '../../../sandbox-request.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { NewSandboxAdvance, SandboxAdvance } from '../../../schemas/sandbox.ts';

const NOT_TAKEN = 'The bank has not accepted the payment yet. Try again later.';
const DECIDED = 'The bank already decided the payment in another way.';

/** POST /sandbox/payments/:paymentId/advance: the sandbox bank goes on with a payment. Test keys only. */
export function advanceSandboxPayment(app: App, deps: HttpDeps): void {
  const { db, clock, bankControl } = deps;
  app.post(
    '/sandbox/payments/:paymentId/advance',
    {
      config: { permission: 'sandbox:write' },
      schema: {
        operationId: 'advanceSandboxPayment',
        summary: 'Advance a payment in the sandbox',
        description:
          'The sandbox bank settles, rejects, or returns the transfer, or shows it on a statement, and reports that in its usual way. The payment follows within seconds. Repeating the request returns the same answer. With a live key the answer is 404.',
        tags: ['Sandbox'],
        headers: OptionalIdempotencyHeaders,
        params: Type.Object({ paymentId: Type.String({ description: 'The id of the payment.' }) }),
        body: NewSandboxAdvance,
        response: {
          202: SandboxAdvance,
          ...errorResponses(['move_not_possible', 'sandbox_unavailable', ...IDEMPOTENCY_CODES], {
            body: true,
          }),
        },
      },
    },
    async (request, reply) => {
      const { scope, params, body } = request;
      const { paymentId } = params;
      requireTestKey(scope);
      return answerPostAfter(request, reply, deps, async () => {
        const verdict = await db.read(scope, async (tx) => {
          const payment = requireFound(await findPayment(tx, scope, paymentId));
          return judgeAdvance(payment, await readAttempts(tx, scope, paymentId), body);
        });
        if (verdict.kind === 'REFUSED') {
          throw moveNotPossible(`/${verdict.field}`, verdict.message);
        }
        if (verdict.kind === 'ORDER') {
          if (bankControl === undefined) throw noSandbox('bank');
          const answer = await bankControl.advance(verdict.order);
          if (answer !== 'DONE') {
            throw controlRefusal(answer, 'bank', {
              NOT_POSSIBLE: moveNotPossible('/to', DECIDED),
              UNKNOWN: moveNotPossible('/to', NOT_TAKEN),
            });
          }
        }
        const told = { paymentId, to: body.to, createdAt: clock.now().toISOString() };
        return { status: 202, body: told, subject: null };
      });
    },
  );
}
