import { createQuote as create } from '../../../quotes/create-quote.ts';
import { viewQuote } from '../../../quotes/quote-view.ts';
import type { App, HttpDeps } from '../../deps.ts';
import { answerPost } from '../../idempotent-post.ts';
import { OptionalIdempotencyHeaders } from '../../schemas/common.ts';
import { errorResponses, IDEMPOTENCY_CODES } from '../../schemas/error.ts';
import { NewQuote, Quote } from '../../schemas/quote.ts';
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
          'Give exactly one amount: it is kept, and the other one worked out. The quote is good for one payment.',
        tags: ['Quotes'],
        headers: OptionalIdempotencyHeaders,
        body: NewQuote,
        response: {
          201: Quote,
          ...errorResponses(
            [
              'unsupported_currency',
              'amount_precision_exceeded',
              ...IDEMPOTENCY_CODES,
              'amount_below_minimum',
              'amount_above_maximum',
              'rate_unavailable',
            ],
            { body: true },
          ),
        },
      },
    },
    (request, reply) => {
      const order = readQuoteOrder(request, request.body);
      return answerPost(
        request,
        reply,
        deps,
        async (tx) => {
          const row = await create(deps, tx, request.scope, order);
          return { status: 201, body: viewQuote(row, row.createdAt), subject: null };
        },
        { decimalFields: ['sourceAmount', 'targetAmount'] },
      );
    },
  );
}
