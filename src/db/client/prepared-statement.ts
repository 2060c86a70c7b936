import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';
import { numberParameters, valuesInOrder, type NamedValues } from './named-parameters.ts';

/** Values of a statement: for `$1`, `$2`, ... in order, or for each `:name` in its text. */
export type StatementValues = readonly unknown[] | NamedValues;

const names = new Map<string, string>();

/**
 * A statement with values is prepared once a connection under a name made from its text: PostgreSQL
 * then parses and plans it once. Texts are constants of the stores, so the names stay few.
 */
export function prepareStatement(text: string, values: StatementValues = []): QueryConfig {
  if (isPositional(values)) return nameWithValues(text, values);
  const numbered = numberParameters(text);
  return nameWithValues(numbered.text, valuesInOrder(numbered.names, values));
}

const isPositional = (values: StatementValues): values is readonly unknown[] =>
  Array.isArray(values);

const nameWithValues = (text: string, values: readonly unknown[]): QueryConfig =>
  values.length === 0 ? { text } : nameStatement(text, values);

/** The same for a statement with or without values. Do not use it for `BEGIN` and `COMMIT`. */
export function nameStatement(text: string, values: readonly unknown[]): QueryConfig {
  let known = names.get(text);
  if (known === undefined) {
    known = createHash('sha256').update(text).digest('base64url').slice(0, 24);
    names.set(text, known);
  }
  return { name: known, text, values: [...values] };
}
