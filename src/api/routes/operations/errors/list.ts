import { Type } from 'typebox';
import { ERROR_CODES, ERRORS } from '../../../../domain/errors/registry.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { staticListAnswer } from '../../../static-lists.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, staticListQuery } from '../../../schemas/list.ts';

const ErrorEntry = Type.Object(
  {
    error: Type.String({ examples: ['insufficient_balance'] }),
    status: Type.Integer({ description: 'The HTTP status of the error.', examples: [422] }),
    retryable: Type.Boolean({
      description:
        'Whether the same request may succeed after a wait, without any other change. If false, remove the cause first. The same request with the same Idempotency-Key may then succeed.',
    }),
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
        summary: 'List error codes',
        description: 'Lists all error codes. Without `limit`, one answer contains all of them.',
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
