import { Type, type TSchema } from 'typebox';

// Text, because parameters are not coerced.
const LIMIT_PATTERN = '^([1-9][0-9]?|100)$';

/** Query parameters of every list. Spread into the query schema of a route beside its filters. */
const ListQuery = {
  limit: Type.Optional(
    Type.String({
      pattern: LIMIT_PATTERN,
      description:
        'How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read within ' +
        '2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.',
      examples: ['20'],
      default: '20',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The nextCursor of the page before, from the same list.',
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
      pattern: LIMIT_PATTERN,
      description: 'How many items at most, 1 to 100. All of them where it is left out.',
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
      hasMore: Type.Boolean({ description: 'Whether there is another page.' }),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Give it as cursor to get the next page; null on the last one.',
      }),
    },
    { description, additionalProperties: false },
  );
}
