import { Type } from 'typebox';
import { ERROR_CODES, ERRORS } from '../../../../domain/errors/registry.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { staticListAnswer } from '../../../static-lists.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, staticListQuery } from '../../../schemas/list.ts';

const ErrorEntry = Type.Object(
  {
    error: Type.String({ examples: ['insufficient_balance'] }),
    status: Type.Integer({ description: 'The HTTP status it comes with.', examples: [422] }),
    retryable: Type.Boolean({ description: 'Whether the same request may succeed later.' }),
    description: Type.String(),
  },
  { additionalProperties: false },
);

/** GET /errors: every code of the registry. */
export function listErrors(app: App): void {
  app.get(
    '/errors',
    {
      config: { permission: 'any-key' },
      schema: {
        operationId: 'listErrors',
        summary: 'All error codes',
        description: 'Without limit all of them come in one answer.',
        tags: ['Reference'],
        querystring: staticListQuery({}),
        response: {
          200: listOf(ErrorEntry, 'The error codes.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async (request) => {
      const entries = ERROR_CODES.map((error) => ({ error, ...ERRORS[error] }));
      return staticListAnswer(entries, request.query, 'errors');
    },
  );
}
