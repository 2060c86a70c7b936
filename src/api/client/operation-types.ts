import type { OPERATIONS, Operations } from './generated/operations.ts';
import type { Page } from './page.ts';

/** The id of an operation, as the API's document has it. */
export type OperationId = keyof Operations & keyof typeof OPERATIONS;

type Part = 'path' | 'query' | 'body';

/** The type of one part of an operation; undefined where the operation does not have it. */
type PartOf<Id extends OperationId, P extends Part> =
  Operations[Id] extends Readonly<Record<P, infer Value>> ? Value : undefined;

/** What an operation is called with: a part that may be undefined may be left out. */
export type Input<Id extends OperationId> = {
  readonly [P in Part as undefined extends PartOf<Id, P> ? never : P]: PartOf<Id, P>;
} & {
  readonly [P in Part as undefined extends PartOf<Id, P> ? P : never]?: PartOf<Id, P>;
};

/** What an operation answers. */
export type Answer<Id extends OperationId> = Operations[Id]['answer'];

/** The parameters of an operation's query. */
export type Query<Id extends OperationId> = NonNullable<PartOf<Id, 'query'>>;

/** The body of an operation. */
export type Body<Id extends OperationId> = NonNullable<PartOf<Id, 'body'>>;

/** The id of an operation that answers a list in pages. */
export type ListId = {
  [Id in OperationId]: Answer<Id> extends Page<unknown> ? Id : never;
}[OperationId];

/** An item of a list. */
export type Item<Id extends ListId> = Answer<Id>['data'][number];
