import type { OPERATIONS, Operations } from './generated/operations.ts';

/** The id of an operation, as the API's document has it. */
export type OperationId = keyof Operations & keyof typeof OPERATIONS;

type Part = 'path' | 'query' | 'body';

/** What an operation is called with: a part that may be undefined may be left out. */
export type Input<Id extends OperationId> = {
  readonly [P in Part as undefined extends Operations[Id][P] ? never : P]: Operations[Id][P];
} & {
  readonly [P in Part as undefined extends Operations[Id][P] ? P : never]?: Operations[Id][P];
};

/** What an operation answers. */
export type Answer<Id extends OperationId> = Operations[Id]['answer'];

/** The parameters of an operation's query. */
export type Query<Id extends OperationId> = NonNullable<Operations[Id]['query']>;

/** The body of an operation. */
export type Body<Id extends OperationId> = NonNullable<Operations[Id]['body']>;

/** One page of a list. */
export interface Page<Item> {
  readonly data: readonly Item[];
  readonly hasMore: boolean;
  /** The `cursor` of the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/** The id of an operation that answers a list in pages. */
export type ListId = {
  [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never;
}[OperationId];

/** An item of a list. */
export type Item<Id extends ListId> = Answer<Id>['data'][number];
