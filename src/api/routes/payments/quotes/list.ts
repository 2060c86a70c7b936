import { Type } from 'typebox';
import { listQuotes as list } from '../../../../db/payments/quote-store.ts';
import { viewQuote } from '../../../../modules/payments/quotes/quote-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { listAnswer, pageRequest } from '../../../../web/kit/http/lists.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { listOf, listQuery } from '../../../schemas/list.ts';
import { Quote, QuoteStatus } from '../../../schemas/quote.ts';

const LIST = 'quotes';

/** GET /quotes */
export function listQuotes(app: App, deps: HttpDeps): void {
  app.get(
    '/quotes',
    {
      config: { permission: 'quotes:read' },
      schema: {
        operationId: 'listQuotes',
        summary: 'List quotes',
        tags: ['Quotes'],
        querystring: listQuery({ status: Type.Optional(QuoteStatus) }),
        response: {
          200: listOf(Quote, 'Quotes, newest first.'),
          ...errorResponses(['invalid_cursor']),
        },
      },
    },
    async ({ scope, query }) => {
      const now = deps.clock.now();
      const { status } = query;
      const filter = { now, ...(status === undefined ? {} : { status }) };
      const page = await deps.db.list(scope, (tx) =>
        list(tx, scope, filter, pageRequest(query, LIST)),
      );
      return listAnswer(page, LIST, (row) => viewQuote(row, now));
    },
  );
}
