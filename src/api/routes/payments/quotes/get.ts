import { Type } from 'typebox';
import { findQuote } from '../../../../db/payments/quote-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { viewQuote } from '../../../../modules/payments/quotes/quote-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { errorResponses } from '../../../schemas/error.ts';
import { Quote } from '../../../schemas/quote.ts';

/** GET /quotes/:quoteId */
export function getQuote(app: App, deps: HttpDeps): void {
  app.get(
    '/quotes/:quoteId',
    {
      config: { permission: 'quotes:read' },
      schema: {
        operationId: 'getQuote',
        summary: 'Read a quote',
        description: 'A quote that no payment used can be read until 90 days after it expires.',
        tags: ['Quotes'],
        params: Type.Object({ quoteId: Type.String({ description: 'The id of the quote.' }) }),
        response: { 200: Quote, ...errorResponses([]) },
      },
    },
    async ({ scope, params }) => {
      const row = await deps.db.read(scope, (tx) => findQuote(tx, scope, params.quoteId));
      return viewQuote(requireFound(row), deps.clock.now());
    },
  );
}
