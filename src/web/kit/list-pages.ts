import { listAnswer, pageRequest } from './http/lists.ts';
import type { Page, PageRequest } from '../../domain/lists.ts';

/** Rows that a page of a list shows. */
const ROWS_A_PAGE = 20;

/** What a list's link to older rows is made of. */
interface ListLinks {
  /** The list's path, without a query. */
  readonly path: string;
  /** The filters that were given. */
  readonly query: Readonly<Record<string, string>>;
}

/**
 * The page of a list that a cursor asks for; the same cursors as the API's, whose name the list has. Refuses
 * with invalid_cursor one that is none of this list's.
 */
export function listPage(cursor: string, listName: string): PageRequest {
  return pageRequest(
    { limit: String(ROWS_A_PAGE), ...(cursor === '' ? {} : { cursor }) },
    listName,
  );
}

/** Where the list goes on, and where it begins; null where there is nothing to go to. */
export function pagesAround<Row>(
  { path, query }: ListLinks,
  cursor: string,
  page: Page<Row>,
  listName: string,
): { readonly older: string | null; readonly newest: string | null } {
  const { nextCursor } = listAnswer(page, listName, (row) => row);
  return {
    older: nextCursor === null ? null : linkTo(path, { ...query, cursor: nextCursor }),
    newest: cursor === '' ? null : linkTo(path, query),
  };
}

/** A path with a query of those values that are not empty. */
export function linkTo(path: string, query: Readonly<Record<string, string>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== '');
  const search = new URLSearchParams(given).toString();
  return search === '' ? path : `${path}?${search}`;
}
