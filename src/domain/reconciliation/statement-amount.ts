import { isCurrency, minorDigits } from '../money/currencies.ts';
import { splitDecimal, withoutTrailingZeros } from '../money/decimal-text.ts';
import type { StatementMoney } from './statement-types.ts';

type StatementAmountProblem = 'currency' | 'format' | 'too_large' | 'too_precise';

type StatementMinor =
  | { readonly ok: true; readonly minor: bigint }
  | { readonly ok: false; readonly problem: StatementAmountProblem };

/** ISO 20022 amounts have 18 digits in all. */
const WHOLE_DIGITS_MAX = 18;

/** What the database holds (bigint). */
const MINOR_MAX = 2n ** 63n - 1n;

/**
 * A statement's amount in the currency's minor units. More forgiving than a request's amount: banks
 * write up to five decimals whatever the currency (ActiveOrHistoricCurrencyAndAmount), so zeros
 * beyond the currency's digits are fine, and zero is an amount. Other digits beyond are a problem.
 */
export function statementMinor({ amount, currency }: StatementMoney): StatementMinor {
  if (!isCurrency(currency)) return { ok: false, problem: 'currency' };
  const parts = splitDecimal(amount);
  if (parts === null) return { ok: false, problem: 'format' };
  if (parts.whole.length > WHOLE_DIGITS_MAX) return { ok: false, problem: 'too_large' };
  const digits = minorDigits(currency);
  const fraction = withoutTrailingZeros(parts.fraction);
  if (fraction.length > digits) return { ok: false, problem: 'too_precise' };
  const minor = BigInt(parts.whole + fraction.padEnd(digits, '0'));
  return minor > MINOR_MAX ? { ok: false, problem: 'too_large' } : { ok: true, minor };
}
