import { Type } from 'typebox';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';

/** GET /health: the process runs. Asks no other server, so that an outage elsewhere does not restart it. */
export function getHealth(app: App, isDocumented: boolean): void {
  app.get(
    '/health',
    {
      config: { public: true },
      schema: {
        operationId: 'getHealth',
        summary: 'Check that the service runs',
        tags: ['Reference'],
        security: [],
        hide: !isDocumented,
        response: {
          200: Type.Object(
            {
              status: Type.Literal('ok'),
              checks: Type.Object({}, { additionalProperties: false }),
            },
            { additionalProperties: false, description: 'The API process is running.' },
          ),
          ...errorResponses([], { public: true }),
        },
      },
    },
    async () => ({ status: 'ok' as const, checks: {} }),
  );
}
