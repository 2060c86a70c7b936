import { SOURCES } from './sources.ts';
import type { Source, SourceId } from './sources.ts';

/**
 * What a value rests on: a document, our own choice, or an operator's file. Null where the value is null
 * because no source that we know states it.
 */
export type Basis =
  | ({ readonly kind: 'SOURCE' } & Source)
  | { readonly kind: 'DEFAULT' }
  | { readonly kind: 'OPERATOR' }
  | null;

/** A value and what it rests on. A null that is sourced says something: no limit, never closed. */
export interface Stated<Value> {
  readonly value: Value;
  readonly basis: Basis;
}

/** A value that a document of `SOURCES` states. */
export function sourced<Value>(value: Value, id: SourceId): Stated<Value> {
  return { value, basis: { kind: 'SOURCE', ...SOURCES[id] } };
}

/** A value of our own choice. */
export function byDefault<Value>(value: Value): Stated<Value> {
  return { value, basis: { kind: 'DEFAULT' } };
}

/** No source that we know states it. */
export const NOT_STATED: Stated<null> = { value: null, basis: null };
