import { countrySpecs } from 'ibantools';

import { requiredField } from './account-field.ts';
import type { AccountField } from './account-field.ts';
import { exampleIban } from './example-iban.ts';
import { isValidIban, normaliseIban } from './iban.ts';
import { ibanHome } from './iban-country.ts';
import { codeForm } from './written-form.ts';
import type { Run } from './written-form.ts';

/** The IBAN of an account in one country: its length, its structure and its check digits. */
export function ibanField(country: string): AccountField {
  const home = ibanHome(country);
  const form = codeForm([home[0] ?? '', 1], [home[1] ?? '', 1], ['0-9', 2], ...bbanRuns(home));
  return requiredField(form, {
    title: 'IBAN',
    description: `The IBAN (ISO 13616): ${String(form.minLength)} characters. It starts with ${home} and has valid check digits.`,
    isValid: isValidIban,
    explain: (text) =>
      isValidIban(normaliseIban(text))
        ? {
            code: 'country_mismatch',
            message: 'is the IBAN of another country than the account',
          }
        : null,
    code: 'invalid_iban',
    expectation: 'must be an IBAN with the length of its country and right check digits',
    example: exampleIban(home),
  });
}

// "^[0-9]{10}[A-Z0-9]{11}[0-9]{2}$": the registry's structures are rows of classes of fixed length.
function bbanRuns(country: string): Run[] {
  const structure = countrySpecs[country]?.bban_regexp ?? '';
  return [...structure.matchAll(/\[([^\]]+)\]\{(\d+)\}/g)].map(([, characters, times]) => [
    characters ?? '',
    Number(times),
  ]);
}
