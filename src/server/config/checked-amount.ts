import { parseAmount } from '../../domain/money/amount.ts';

/** Minor units of an amount that the checks of settings have let through. Throws for any other text. */
export function checkedAmount(text: string, currency: string): bigint {
  const parsed = parseAmount(text, currency);
  if (!parsed.ok) throw new Error(`an amount in ${currency} was not checked`);
  return parsed.minor;
}
