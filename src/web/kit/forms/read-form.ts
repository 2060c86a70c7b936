import type { FieldProblem, FormRules } from './form-rules.ts';
import type { FormTexts } from './parse-form.ts';

type ValueOf<Rule> = Rule extends { readonly isList: true } ? readonly string[] : string;

/** What a form says, by the names of its rules. A field that was left out is `''`, or an empty list. */
export type FormValues<Rules extends FormRules> = {
  readonly [Name in keyof Rules]: ValueOf<Rules[Name]>;
};

export type FormReading<Rules extends FormRules> = {
  /** As they were sent, but for space around them: a refused form shows them again. */
  readonly values: FormValues<Rules>;
  /** In the order of the rules; none where the form may be acted upon. */
  readonly problems: readonly FieldProblem[];
};

/** Judges a form's texts by its rules: all that is wrong at once. */
export function readForm<Rules extends FormRules>(
  rules: Rules,
  texts: FormTexts,
): FormReading<Rules> {
  const problems: FieldProblem[] = [];
  const entries = Object.entries(rules).map(([field, rule]) => {
    const given = (texts.get(field) ?? []).map((text) => text.trim()).filter((text) => text !== '');
    const message = problemWith(rule, given);
    if (message !== null) problems.push({ field, message });
    return [field, rule.isList === true ? given : (given[0] ?? '')] as const;
  });
  return { values: Object.fromEntries(entries) as FormValues<Rules>, problems };
}

function problemWith(rule: FormRules[string], given: readonly string[]): string | null {
  if (given.length === 0) return rule.isOptional === true ? null : `Enter ${rule.what}.`;
  for (const text of given) {
    if (text.length > rule.lengthMax) {
      return `Enter ${rule.what} of at most ${String(rule.lengthMax)} characters.`;
    }
    const problem = rule.check?.(text) ?? null;
    if (problem !== null) return problem;
  }
  return null;
}
