import type { Problem } from '../domain/errors/refusal.ts';
import type { AmountProblem } from '../domain/money/amount.ts';

/** What is wrong with the amount in a field of the body, in the words of an answer. */
export function describeAmountProblem(
  problem: AmountProblem,
  { path, currency }: { readonly path: string; readonly currency: string },
): Problem {
  const at = { path, meta: { currency } };
  switch (problem) {
    case 'too_precise':
      return {
        ...at,
        code: 'amount_precision_exceeded',
        message: `The amount has more decimals than ${currency}.`,
      };
    case 'not_positive':
      return { ...at, code: 'not_positive', message: 'The amount must be greater than zero.' };
    case 'too_large':
      return { ...at, code: 'too_large', message: 'The amount must be less than 10^12.' };
    case 'format':
      return {
        ...at,
        code: 'format',
        message:
          'The amount must have digits with an optional fraction, without a sign or an exponent.',
      };
  }
}
