import { requiredField } from '../account-field.ts';
import { bicField } from '../bic-field.ts';
import { hasIbans, needsIban } from '../iban-country.ts';
import { ibanField } from '../iban-field.ts';
import type { RailRules, RulesOfRail } from '../rail-rules.ts';
import { codeForm } from '../written-form.ts';

// ISO 20022, Max34Text of an account that is no IBAN.
const OTHER_NUMBER = requiredField(codeForm(['A-Z0-9', 4, 34]), {
  title: 'Account number',
  description: 'The account number in the format of the bank: 4 to 34 letters and digits.',
  code: 'invalid_account_number',
  expectation: 'must be 4 to 34 letters and digits',
  example: '000123456789',
});

/**
 * Correspondent banking: an IBAN where a payment from abroad must name it, else an account number. The
 * beneficiary's address goes along (FATF Recommendation 16; CBPR+ wants town and country).
 */
export const SWIFT: RulesOfRail = ({ country }): RailRules => {
  const bic = bicField(country);
  const rail = { accountFields: ['iban', 'accountNumber'], needsAddress: true };
  if (needsIban(country)) return { ...rail, fields: { iban: ibanField(country), bic } };
  if (!hasIbans(country)) return { ...rail, fields: { accountNumber: OTHER_NUMBER, bic } };
  const iban = { ...ibanField(country), isRequired: false };
  const accountNumber = { ...OTHER_NUMBER, isRequired: false };
  return { ...rail, fields: { iban, accountNumber, bic }, oneOf: ['iban', 'accountNumber'] };
};

/** A rail whose accounts are named by their IBAN alone. */
export const IBAN_ONLY: RulesOfRail = ({ country }) => ({
  accountFields: ['iban'],
  fields: { iban: ibanField(country) },
});

/** SEPA Credit Transfer, instant or not: EPC125-05 and EPC004-16 need no BIC since 2016. */
export const SEPA: RulesOfRail = ({ country }) => ({
  accountFields: ['iban'],
  fields: { iban: ibanField(country), bic: { ...bicField(country), isRequired: false } },
});
