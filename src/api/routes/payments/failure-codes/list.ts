import { FAILURE_CODES, FAILURES } from '../../../../domain/payments/failures/failure-catalogue.ts';
import { railCodesOf } from '../../../../domain/payments/failures/rail-reasons.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { FailureCode } from '../../../schemas/failure.ts';
import { listOf, staticListQuery } from '../../../schemas/list.ts';
import { staticListAnswer } from '../../../static-lists.ts';

/** GET /failure-codes: every reason for which a payment fails or comes back. */
export function listFailureCodes(app: App): void {
  app.get(
    '/failure-codes',
    {
      config: { permission: 'any-key' },
      schema: {
        operationId: 'listFailureCodes',
        summary: 'List failure codes',
        description:
          'Lists the values of `failure.code` and `return.code` with the recommended action for each. Without `limit`, one answer contains all of them.',
        tags: ['Reference'],
        querystring: staticListQuery({}),
        response: {
          200: listOf(FailureCode, 'The failure codes.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async (request) => {
      const entries = FAILURE_CODES.map((code) => ({
        code,
        ...FAILURES[code],
        railCodes: railCodesOf(code),
      }));
      return staticListAnswer(entries, request.query, 'failure-codes');
    },
  );
}
