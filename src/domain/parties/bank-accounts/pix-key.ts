import { isValidCnpj, isValidCpf } from './cpf-cnpj.ts';
import { isValidE164 } from './e164.ts';
import { EMAIL_PATTERN } from './email-field.ts';
import { BLANKS, withoutSeparators } from './written-form.ts';
import type { WrittenForm } from './written-form.ts';

// Each as a bank's form prints it, too: 529.982.247-25, 11.222.333/0001-81.
const CPF = '[0-9]{3}\\.?[0-9]{3}\\.?[0-9]{3}-?[0-9]{2}';
const CNPJ = '[0-9A-Za-z]{2}\\.?[0-9A-Za-z]{3}\\.?[0-9A-Za-z]{3}/?[0-9A-Za-z]{4}-?[0-9]{2}';
// +55 (11) 91234-5678
const GAP = `[${BLANKS}\\(\\)\\-]*`;
const PHONE = `\\+${GAP}[1-9]${GAP}(?:[0-9]${GAP}){6,14}`;
const EVP = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}';

/** A Pix key: CPF, CNPJ, telephone number, email address or random key (EVP). Source: BCB, DICT API. */
export const PIX_KEY_FORM: WrittenForm = {
  pattern: `^(?:${[CPF, CNPJ, PHONE, EMAIL_PATTERN, EVP].join('|')})$`,
  minLength: 8,
  // BCB, DICT API: an email address has 77 characters at most.
  maxLength: 77,
  normalise(text) {
    if (new RegExp(`^(?:${CPF}|${CNPJ})$`).test(text)) {
      return text.replace(/[./-]/g, '').toUpperCase();
    }
    if (text.startsWith('+') && !text.includes('@')) {
      return withoutSeparators(text).replace(/[()]/g, '');
    }
    return text.toLowerCase();
  },
};

/** Are the check digits of a CPF or CNPJ right, or is it a key that has none? */
export function isValidPixKey(normalised: string): boolean {
  if (normalised.includes('@')) return true;
  if (normalised.startsWith('+')) return isValidE164(normalised);
  // A random key has hyphens, numbers have lost theirs.
  if (normalised.includes('-')) return true;
  return normalised.length === 11 ? isValidCpf(normalised) : isValidCnpj(normalised);
}
