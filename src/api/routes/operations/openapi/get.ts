import { Type } from 'typebox';
import { openApiOf } from '../../../openapi/openapi.ts';
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
        summary: 'Get the OpenAPI document',
        tags: ['Reference'],
        security: [],
        response: {
          200: Type.Record(Type.String(), Type.Unknown(), {
            description: 'The OpenAPI 3.1 document.',
          }),
          ...errorResponses([], { public: true }),
        },
      },
    },
    async () => openApiOf(app),
  );
}
