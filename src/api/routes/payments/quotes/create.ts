import { createQuote as create } from '../../../../modules/payments/quotes/create-quote.ts';
import { viewQuote } from '../../../../modules/payments/quotes/quote-view.ts';
import type { HttpDeps } from '../../../deps.ts';
import type { App } from '../../../../web/kit/http/app-type.ts';
import { answerPost } from '../../../idempotent-post.ts';
import { OptionalIdempotencyHeaders } from '../../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../../schemas/error.ts';
import { NewQuote, Quote } from '../../../schemas/quote.ts';
import { readQuoteOrder } from './read-quote-order.ts';

/** POST /quotes: locks a rate for one payment. */
export function createQuote(app: App, deps: HttpDeps): void {
  app.post(
    '/quotes',
    {
      config: { permission: 'quotes:write' },
      schema: {
        operationId: 'createQuote',
        summary: 'Lock a rate',
        description:
          'Give exactly one amount. The quote keeps that amount and calculates the other one. Each side is a currency or an asset. If the target is an asset, name its network. A quote can be used for one payment.',
        tags: ['Quotes'],
        headers: OptionalIdempotencyHeaders,
        body: NewQuote,
        response: {
          201: Quote,
          ...errorResponses(
            [
              'unsupported_currency',
              'unsupported_asset',
              'unsupported_network',
              'amount_precision_exceeded',
              ...IDEMPOTENCY_CODES,
              'amount_below_minimum',
              'amount_above_maximum',
              'corridor_unavailable',
              'rate_unavailable',
            ],
            { body: true },
          ),
        },
      },
    },
    (request, reply) => {
      const { scope, body } = request;
      const networks = deps.settings.networks[scope.environment];
      return answerPost(
        request,
        reply,
        deps,
        async (tx) => {
          // Only here, behind the look at the key: what is listed now must not change an answer given.
          const order = readQuoteOrder(request, body, networks);
          const row = await create(deps, tx, scope, order);
          return { status: 201, body: viewQuote(row, row.createdAt), subject: null };
        },
        { decimalFields: ['sourceAmount', 'targetAmount'] },
      );
    },
  );
}
