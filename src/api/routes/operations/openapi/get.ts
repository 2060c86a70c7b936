import { Type } from 'typebox';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';

/** GET /openapi.json: this API's own description, without a key. */
export function getOpenApi(app: App): void {
  app.get(
    '/openapi.json',
    {
      config: { public: true },
      schema: {
        operationId: 'getOpenApi',
        summary: 'The OpenAPI 3.1 document of this API',
        tags: ['Reference'],
        security: [],
        response: {
          200: Type.Record(Type.String(), Type.Unknown(), { description: 'OpenAPI 3.1.' }),
          ...errorResponses([], { public: true }),
        },
      },
    },
    async () => app.swagger() as unknown as Record<string, unknown>,
  );
}
