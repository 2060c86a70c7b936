import { findSandboxClock } from '../../../../db/customers/sandbox-clock-store.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { requireTestKey } from '../../../sandbox-request.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { SandboxClock } from '../../../schemas/sandbox.ts';
import { viewClock } from './clock-view.ts';

/** GET /sandbox/clock: how far the caller has moved the clock of its test environment. Test keys only. */
export function getSandboxClock(app: App, { db }: HttpDeps): void {
  app.get(
    '/sandbox/clock',
    {
      config: { permission: 'sandbox:read' },
      schema: {
        operationId: 'getSandboxClock',
        summary: 'Read the sandbox clock',
        description:
          'Shows how far you have moved the clock of your test environment. With a live key the answer is 404.',
        tags: ['Sandbox'],
        response: { 200: SandboxClock, ...errorResponses(['not_found']) },
      },
    },
    async ({ scope }) => {
      requireTestKey(scope);
      return viewClock(await db.read(scope, (tx) => findSandboxClock(tx, scope)));
    },
  );
}
