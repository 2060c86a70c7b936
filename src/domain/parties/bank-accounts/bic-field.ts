import { requiredField } from './account-field.ts';
import type { AccountField } from './account-field.ts';
import { isValidBic, normaliseBic } from './bic.ts';
import { bicCountries } from './iban-country.ts';
import { BLANKS } from './written-form.ts';

const GAP = `[${BLANKS}]*`;
const CHARACTER = `[A-Za-z0-9]${GAP}`;

/** The BIC of a bank in one country (ISO 9362), or in a territory that shares its banks. */
export function bicField(country: string): AccountField {
  const either = bicCountries(country);
  const codes = either.map(([first = '', second = '']) => letter(first) + letter(second));
  return requiredField(
    {
      pattern: `^${GAP}(?:${CHARACTER}){4}(?:${codes.join('|')})(?:${CHARACTER}){2}(?:(?:${CHARACTER}){3})?$`,
      minLength: 8,
      maxLength: 22,
      normalise: normaliseBic,
    },
    {
      title: 'BIC',
      description: `The BIC of the bank (ISO 9362): 8 or 11 characters. The fifth and sixth characters are ${either.join(' or ')}.`,
      isValid: isValidBic,
      explain: (text) =>
        isValidBic(normaliseBic(text))
          ? { code: 'country_mismatch', message: 'is the BIC of a bank in another country' }
          : null,
      code: 'invalid_bic',
      expectation: 'must be a BIC of 8 or 11 characters',
      example: `SAMP${country}22`,
    },
  );
}

const letter = (capital: string): string => `[${capital}${capital.toLowerCase()}]${GAP}`;
