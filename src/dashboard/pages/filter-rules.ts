import { readDay } from '../../domain/ledger/statement-day.ts';
import type { FieldRule } from '../../web/forms/form-rules.ts';

/** Years that anything of ours can be of. */
const YEAR = /^(19|20|21)[0-9]{2}-/;

/** A day as an input of that kind sends it. */
export const checkDay = (text: string): string | null =>
  YEAR.test(text) && readDay(text) !== null ? null : 'Enter a day as 2026-11-22.';

/** A filter that is one of a few. */
export function oneOf(values: readonly string[]): Pick<FieldRule, 'lengthMax' | 'check'> {
  return {
    lengthMax: 40,
    check: (text) => (values.includes(text) ? null : `Choose one of ${values.join(', ')}.`),
  };
}
