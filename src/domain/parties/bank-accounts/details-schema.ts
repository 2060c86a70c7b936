import type { AccountField } from './account-field.ts';
import type { RailRules } from './rail-rules.ts';

/** One field as JSON Schema 2020-12. */
function fieldSchema(field: AccountField): object {
  const { title, description, values, pattern, minLength, maxLength, example } = field;
  return {
    type: 'string',
    title,
    description,
    ...(values === undefined ? { pattern, minLength, maxLength } : { enum: values }),
    examples: [example],
  };
}

/**
 * The `details` of an account as JSON Schema 2020-12. It says all that can be said of texts: what it
 * refuses the API refuses, too; check digits are judged by the API alone.
 */
export function detailsSchema(rules: RailRules): object {
  const { fields, oneOf } = rules;
  const names = Object.keys(fields);
  return {
    type: 'object',
    title: 'Account',
    description: 'The account details. Printed spaces and hyphens are accepted.',
    properties: Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]),
    ),
    required: names.filter((name) => fields[name]?.isRequired === true),
    ...(oneOf !== undefined && { oneOf: oneOf.map(alternative) }),
    additionalProperties: false,
    examples: [exampleDetails(rules)],
  };
}

/** Validators that read strictly want a required property to be named where it is required. */
const alternative = (name: string): object => ({ properties: { [name]: true }, required: [name] });

/** Details that every check takes and that belong to no one: all fields, of alternatives the first. */
export function exampleDetails({ fields, oneOf = [] }: RailRules): Record<string, string> {
  const left = oneOf.slice(1);
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([name]) => !left.includes(name))
      .map(([name, field]) => [name, field.example]),
  );
}
