import type { KeyedOptions, RequestOptions } from '../call-options.ts';
import type { NewQuote, Quote } from '../generated/schemas.ts';
import type { List } from '../list.ts';
import type { Answer, Query } from '../operation-types.ts';
import { Resource } from './resource.ts';

/** `causeway.quotes`: rates that are locked, with everything that they cost. */
export class Quotes extends Resource {
  create(quote: NewQuote, options?: KeyedOptions): Promise<Quote> {
    return this.api.send('createQuote', { body: quote }, options);
  }

  get(quoteId: string, options?: RequestOptions): Promise<Quote> {
    return this.api.send('getQuote', { path: { quoteId } }, options);
  }

  /** The newest first. */
  list(filters?: Query<'listQuotes'>, options?: RequestOptions): List<Quote> {
    return this.api.list('listQuotes', { query: filters }, options);
  }
}

/** `causeway.fxRates`: mid-market rates. */
export class FxRates extends Resource {
  /** All rates that fit, of now or of a moment (`at`): no pages. */
  list(filters?: Query<'listFxRates'>, options?: RequestOptions): Promise<Answer<'listFxRates'>> {
    return this.api.send('listFxRates', { query: filters }, options);
  }
}
