import { Refusal } from './refusal.ts';

/**
 * The row that a path names. A missing one, another customer's and another environment's are refused
 * alike, to the letter: the caller does not learn which ids exist.
 */
export function requireFound<Row>(row: Row | null): Row {
  if (row === null) throw new Refusal('not_found', 'The resource does not exist.');
  return row;
}
