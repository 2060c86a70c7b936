import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { controlRefusal, noSandbox, requireTestKey } from '../../../sandbox-request.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, staticListQuery } from '../../../schemas/list.ts';
import { SandboxFault } from '../../../schemas/sandbox.ts';
import { staticListAnswer } from '../../../static-lists.ts';

/** GET /sandbox/faults: those of the caller's test environment that still wait. Test keys only. */
export function listSandboxFaults(app: App, { bankControl }: HttpDeps): void {
  app.get(
    '/sandbox/faults',
    {
      config: { permission: 'sandbox:read' },
      schema: {
        operationId: 'listSandboxFaults',
        summary: 'List sandbox faults',
        description:
          'Lists your pending faults, in the order in which they apply to payments. With a live key the answer is 404.',
        tags: ['Sandbox'],
        querystring: staticListQuery({}),
        response: {
          200: listOf(SandboxFault, 'The pending faults, in the order in which they apply.'),
          ...errorResponses(['invalid_cursor', 'sandbox_unavailable', 'not_found']),
        },
      },
    },
    async ({ scope, query }) => {
      requireTestKey(scope);
      if (bankControl === undefined) throw noSandbox('bank');
      const armed = await bankControl.listArmed(scope.customerId);
      if (typeof armed === 'string') throw controlRefusal(armed, 'bank');
      return staticListAnswer(armed, query, 'sandbox-faults');
    },
  );
}
