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
        summary: 'Arm a fault at the sandbox bank',
        description:
          'Your next payments to banks meet the fault, whatever their cents, until as many have as you say, for an hour at the most. Faults are met in the order in which they were armed, and by your payments alone. A live key finds no such route (404).',
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
          const message = `${String(ARMED_FAULTS_MAX)} faults wait already. Have payments meet them, or wait.`;
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
