import { isValidIban, normaliseIban } from './iban.ts';

/** The IBAN that a field for other account numbers holds, "IBAN" before it or not; null where it is none. */
export function ibanInNumber(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const iban = normaliseIban(value).replace(/^IBAN:?/, '');
  return isValidIban(iban) ? iban : null;
}
