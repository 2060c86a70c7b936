import { listAnswer, pageRequest, type PageQuery } from '../web/kit/http/lists.ts';

/**
 * A page of a collection that is small and has a fixed order (codes, corridors, balances). Without a
 * limit all of it is answered: a caller need not page through what fits one answer.
 */
export function staticListAnswer<Item>(
  items: readonly Item[],
  query: PageQuery,
  listName: string,
): { data: Item[]; hasMore: boolean; nextCursor: string | null } {
  const { limit, before } = pageRequest(query, listName);
  const start = before === null ? 0 : Number(before);
  const end = query.limit === undefined ? items.length : start + limit;
  const next = end < items.length ? BigInt(end) : null;
  return listAnswer({ items: items.slice(start, end), next }, listName, (item) => item);
}
