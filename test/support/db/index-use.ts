import type { StoreFunction } from './statements-of.ts';

/** How a query uses an index, and what a test proves of it. */
export type IndexUse = StoreUse | { readonly kind: 'FUNCTION'; readonly name: string };

interface StoreUse {
  /**
   * NEEDED: the plan reads the index, and costs more without it. READ: the plan reads it; a planner that knows no
   * numbers cannot tell what it saves. SENT: a statement about the table, whose plan depends on its rows.
   */
  readonly kind: 'NEEDED' | 'READ' | 'SENT';
  readonly ask: StoreFunction;
  readonly given: readonly unknown[];
}

type Given<Ask> = Ask extends (tx: never, ...given: infer Rest) => unknown ? Partial<Rest> : never;

const useOf =
  (kind: StoreUse['kind']) =>
  <Ask extends (tx: never, ...given: never[]) => unknown>(
    ask: Ask,
    ...given: Given<Ask>
  ): StoreUse => ({ kind, ask: ask, given });

export const needs = useOf('NEEDED');
export const reads = useOf('READ');
export const sends = useOf('SENT');

/** A statement inside a function of the database, which no EXPLAIN shows. */
export const inDatabase = (name: string): IndexUse => ({ kind: 'FUNCTION', name });
