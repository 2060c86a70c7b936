import { CausewayError } from './errors.ts';
import type { Page } from './page.ts';

/**
 * A list of the API. `for await (const item of list)` reads every item, page after page as they are
 * needed; `page()` reads one page.
 */
export class List<Item> implements AsyncIterable<Item> {
  readonly #readPage: (cursor: string | undefined) => Promise<Page<Item>>;

  /** For the client's own use. `readPage` without a cursor reads the page that was asked for. */
  constructor(readPage: (cursor: string | undefined) => Promise<Page<Item>>) {
    this.#readPage = readPage;
  }

  /** The page that was asked for: the first, or that of the `cursor`. */
  page(): Promise<Page<Item>> {
    return this.#readPage(undefined);
  }

  /** That page and all behind it. Throws CausewayError where a list does not come to its end. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor: string | undefined;
    for (;;) {
      const page = await this.#readPage(cursor);
      yield page;
      if (!page.hasMore) return;
      // An end that is none would look like a shorter list.
      if (page.nextCursor === null || page.nextCursor === cursor) {
        throw new CausewayError('The list has more items, and no cursor leads to them');
      }
      cursor = page.nextCursor;
    }
  }

  /** Every item of them. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
