import type { FormRules } from './form-rules.ts';
import { readForm, type FormReading } from './read-form.ts';

/**
 * Judges the filters of a list by their rules, as the fields of a form. Of a name that came more than once the
 * first counts; names that no rule has are left alone, for links get more of them on their way.
 */
export function readQuery<Rules extends FormRules>(
  rules: Rules,
  query: unknown,
): FormReading<Rules> {
  const given = query as Readonly<Record<string, string | readonly string[]>>;
  const texts = new Map<string, readonly string[]>();
  for (const name of Object.keys(rules)) {
    const text = Object.hasOwn(given, name) ? [given[name] ?? ''].flat()[0] : undefined;
    if (text !== undefined) texts.set(name, [text]);
  }
  return readForm(rules, texts);
}
