import { Refusal } from '../../../../domain/errors/refusal.ts';
import { ID_PREFIXES } from '../../../../domain/ids.ts';
import { ARMED_FAULTS_MAX } from '../../../../domain/sandbox/bank-faults.ts';
import { keyMismatch } from '../../../../modules/idempotency/open-keys.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPostAfter } from '../../../idempotent-post.ts';
import {
  controlRefusal,
  noSandbox,
  requireTestKey,
  sandboxOrderId,
} from '../../../sandbox-request.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { NewSandboxFault, SandboxFault } from '../../../schemas/sandbox.ts';

/** POST /sandbox/faults: the next payments of the caller's test environment meet a fault. Test keys only. */
export function createSandboxFault(app: App, deps: HttpDeps): void {
  const { bankControl } = deps;
  app.post(
    '/sandbox/faults',
    {
      config: { permission: 'sandbox:write' },
      schema: {
        operationId: 'createSandboxFault',
        summary: 'Create a sandbox fault',
        description:
          'The fault happens to your next bank payments, whatever their cents. It ends after the given number of payments, or after one hour. Faults apply in the order in which you create them, and only to your payments. With a live key the answer is 404.',
        tags: ['Sandbox'],
        headers: OptionalIdempotencyHeaders,
        body: NewSandboxFault,
        response: {
          201: SandboxFault,
          ...errorResponses(
            ['limit_reached', 'sandbox_unavailable', ...IDEMPOTENCY_CODES, 'not_found'],
            { body: true },
          ),
        },
      },
    },
    async (request, reply) => {
      const { scope, body } = request;
      requireTestKey(scope);
      return answerPostAfter(request, reply, deps, async () => {
        if (bankControl === undefined) throw noSandbox('bank');
        const { fault, count = 1 } = body;
        const id = sandboxOrderId(request, ID_PREFIXES.sandboxFault);
        const answer = await bankControl.arm({ id, onBehalfOf: scope.customerId, fault, count });
        if (typeof answer === 'string') {
          const message = `You already have ${String(ARMED_FAULTS_MAX)} pending faults. Make payments that use them, or wait until they end.`;
          throw controlRefusal(answer, 'bank', {
            TOO_MANY: new Refusal('limit_reached', message),
            OTHER_ORDER: keyMismatch(),
          });
        }
        return { status: 201, body: answer, subject: null };
      });
    },
  );
}
