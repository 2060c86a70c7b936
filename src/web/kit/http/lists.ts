import type { Page, PageRequest } from '../../../domain/lists.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';

const LIMIT_DEFAULT = 20;

/** What `ListQuery` lets through. */
export interface PageQuery {
  readonly limit?: string;
  readonly cursor?: string;
}

/**
 * The page that a query asks for. A cursor names its list, so that one list's cursor is refused by
 * another (400 invalid_cursor) instead of answering with a page that makes no sense.
 */
export function pageRequest(query: PageQuery, listName: string): PageRequest {
  return {
    limit: query.limit === undefined ? LIMIT_DEFAULT : Number(query.limit),
    before: query.cursor === undefined ? null : readCursor(query.cursor, listName),
  };
}

/** A page as the API shows it. */
export function listAnswer<Row, Item>(
  page: Page<Row>,
  listName: string,
  render: (row: Row) => Item,
): { data: Item[]; hasMore: boolean; nextCursor: string | null } {
  return {
    data: page.items.map((row) => render(row)),
    hasMore: page.next !== null,
    nextCursor: page.next === null ? null : writeCursor(page.next, listName),
  };
}

function writeCursor(before: bigint, listName: string): string {
  return Buffer.from(`${listName}:${before.toString()}`).toString('base64url');
}

// Sequences are positive int8; 18 digits stay below its end.
const CURSOR = /^([a-z0-9-]+):([1-9][0-9]{0,17})$/;

function readCursor(cursor: string, listName: string): bigint {
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const before = match?.[2];
  // Written again and compared: base64url has many spellings of the same bytes.
  if (match?.[1] === listName && before !== undefined) {
    const sequence = BigInt(before);
    if (writeCursor(sequence, listName) === cursor) return sequence;
  }
  const message =
    'The cursor does not belong to this list. Use the `nextCursor` of the previous page with the same filters.';
  throw new Refusal('invalid_cursor', message, [
    { path: '/query/cursor', code: 'invalid_cursor', message },
  ]);
}
