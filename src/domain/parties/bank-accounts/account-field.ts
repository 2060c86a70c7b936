import type { DetailProblemCode } from './detail-problem.ts';
import { digitsForm } from './written-form.ts';
import type { WrittenForm } from './written-form.ts';

/**
 * One field of a rail's details: the one source of its check and of its JSON Schema. A value is judged by
 * its form, then by `isValid` in canonical form.
 */
export interface AccountField extends WrittenForm {
  /** What a form writes beside the input. */
  readonly title: string;
  /** One sentence: what it is, and which check it must pass. */
  readonly description: string;
  readonly isRequired: boolean;
  /** Where nothing else is taken. */
  readonly values?: readonly string[];
  /** Check digits and the like. Where it is left out the form says all. */
  readonly isValid?: (normalised: string) => boolean;
  /** Says more than `code` of a text that does not fit the form; null where there is no more to say. */
  readonly explain?: (text: string) => FieldFault | null;
  readonly code: DetailProblemCode;
  /** What would be right, for developers: follows the field's name. */
  readonly expectation: string;
  /** In canonical form, passes every check and belongs to no one. */
  readonly example: string;
}

/** What is wrong with a value; the message follows the field's name. */
interface FieldFault {
  readonly code: DetailProblemCode;
  readonly message: string;
}

/** A field as a rail's file gives it. */
type FieldFacts = Omit<AccountField, keyof WrittenForm | 'isRequired'>;

/** A field that every account of the rail has. */
export function requiredField(form: WrittenForm, facts: FieldFacts): AccountField {
  return { ...form, ...facts, isRequired: true };
}

/** A field that takes one of some values, in capital letters only. */
export function choiceField(
  values: readonly string[],
  facts: Omit<FieldFacts, 'values' | 'example' | 'expectation'>,
): AccountField {
  const lengths = values.map((value) => value.length);
  return requiredField(
    {
      pattern: `^(?:${values.join('|')})$`,
      minLength: Math.min(...lengths),
      maxLength: Math.max(...lengths),
      normalise: (text) => text,
    },
    {
      ...facts,
      values,
      expectation: `must be one of ${values.join(', ')}`,
      example: values[0] ?? '',
    },
  );
}

/** An account's number of so many digits; only its bank knows which numbers there are. */
export function accountNumberField(least: number, most: number, example: string): AccountField {
  const length = least === most ? String(least) : `${String(least)} to ${String(most)}`;
  return requiredField(digitsForm(least, most), {
    title: 'Account number',
    description: `The account number: ${length} digits.`,
    code: 'invalid_account_number',
    expectation: `must be ${length} digits`,
    example,
  });
}

/** A bank's code of so many digits in its country's clearing. */
export function bankCodeField(digits: number, example: string, description: string): AccountField {
  return requiredField(digitsForm(digits), {
    title: 'Bank code',
    description,
    code: 'invalid_bank_code',
    expectation: `must be ${String(digits)} digits`,
    example,
  });
}

/** A branch's code of so many digits in its country's clearing. */
export function branchCodeField(
  digits: number,
  example: string,
  description: string,
): AccountField {
  return requiredField(digitsForm(digits), {
    title: 'Branch code',
    description,
    code: 'invalid_branch_code',
    expectation: `must be ${String(digits)} digits`,
    example,
  });
}

/** What kind of account it is; the first kind is the example. */
export function accountTypeField(...values: readonly string[]): AccountField {
  return choiceField(values, {
    title: 'Account type',
    description: `The type of the account: ${values.join(', ')}.`,
    code: 'invalid_account_type',
  });
}
