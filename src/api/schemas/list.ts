import { Type, type TSchema } from 'typebox';

// Text, because parameters are not coerced.
const LIMIT_PATTERN = '^([1-9][0-9]?|100)$';

/** Query parameters of every list. Spread into the query schema of a route beside its filters. */
const ListQuery = {
  limit: Type.Optional(
    Type.String({
      title: 'Limit',
      pattern: LIMIT_PATTERN,
      description:
        'The maximum number of items in the answer, from 1 to 100. Default: 20. If the service cannot read a page within 2 seconds, the answer is a 503 `service_unavailable`: narrow the filters, or try again.',
      examples: ['20'],
      default: '20',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      title: 'Cursor',
      minLength: 1,
      maxLength: 200,
      description: 'The `nextCursor` of the previous page of the same list.',
    }),
  ),
};

/** A filter by time. `readMoments` reads it. */
export const Moment = (description: string) =>
  Type.Optional(
    Type.String({ format: 'date-time', description, examples: ['2026-09-29T12:00:00Z'] }),
  );

/** The query schema of a list: paging plus the given filters, nothing else. */
export function listQuery<Filters extends Record<string, TSchema>>(filters: Filters) {
  return Type.Object({ ...ListQuery, ...filters }, { additionalProperties: false });
}

/** The query schema of a collection that is answered whole unless a limit is given. */
export function staticListQuery<Filters extends Record<string, TSchema>>(filters: Filters) {
  const limit = Type.Optional(
    Type.String({
      title: 'LimitOfWhole',
      pattern: LIMIT_PATTERN,
      description: 'The maximum number of items in the answer, from 1 to 100. Default: all items.',
      examples: ['20'],
    }),
  );
  return Type.Object(
    { limit, cursor: ListQuery.cursor, ...filters },
    { additionalProperties: false },
  );
}

/** The answer of a list of `item`. */
export function listOf<Item extends TSchema>(item: Item, description: string) {
  return Type.Object(
    {
      data: Type.Array(item),
      hasMore: Type.Boolean({ description: 'Whether the list has another page.' }),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'The `cursor` of the next page. Null on the last page.',
      }),
    },
    { description, additionalProperties: false },
  );
}
