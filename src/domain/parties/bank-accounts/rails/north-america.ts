import { isValidRoutingNumber } from '../aba.ts';
import { accountNumberField, accountTypeField, requiredField } from '../account-field.ts';
import type { AccountField } from '../account-field.ts';
import { isValidClabe } from '../clabe.ts';
import { EMAIL_FIELD } from '../email-field.ts';
import type { RulesOfRail } from '../rail-rules.ts';
import { digitsForm } from '../written-form.ts';

const routingNumber = requiredField(digitsForm(9), {
  title: 'Routing number',
  description: 'The ABA routing number of the bank: 9 digits. The last digit is a check digit.',
  isValid: isValidRoutingNumber,
  code: 'invalid_routing_number',
  expectation: 'must be an ABA routing number of 9 digits with a right check digit',
  example: '110000000',
});

// Nacha operating rules: 17 characters of DFI account number.
const usAccountNumber = accountNumberField(4, 17, '000123456789');

/** ACH (United States). Source: Nacha operating rules, entry detail record. */
export const ACH: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    routingNumber,
    accountNumber: usAccountNumber,
    accountType: accountTypeField('CHECKING', 'SAVINGS'),
  },
});

/** Fedwire Funds Service (United States): the travel rule (31 CFR 1010.410) wants the address. */
export const FEDWIRE: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: { routingNumber, accountNumber: usAccountNumber },
  needsAddress: true,
});

/** Automated Funds Transfer (Canada). Source: Payments Canada, Standard 005. */
export const EFT: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    institutionNumber: codeOf(3, 'Institution number', 'invalid_institution_number', '001'),
    transitNumber: codeOf(5, 'Transit number', 'invalid_transit_number', '00011'),
    accountNumber: accountNumberField(5, 12, '1234567'),
  },
});

/** Interac e-Transfer (Canada), to the email address that the holder is registered under. */
export const INTERAC: RulesOfRail = () => ({
  accountFields: ['email'],
  fields: { email: EMAIL_FIELD },
});

/** SPEI (Mexico). Source: Asociación de Bancos de México, CLABE standard. */
export const SPEI: RulesOfRail = () => ({
  accountFields: ['clabe'],
  fields: {
    clabe: requiredField(digitsForm(18), {
      title: 'CLABE',
      description: 'The CLABE: 18 digits. The last digit is a check digit.',
      isValid: isValidClabe,
      code: 'invalid_clabe',
      expectation: 'must be a CLABE of 18 digits with a right check digit',
      example: '002010077777777771',
    }),
  },
});

function codeOf(
  digits: number,
  title: string,
  code: AccountField['code'],
  example: string,
): AccountField {
  return requiredField(digitsForm(digits), {
    title,
    description: `The ${title.toLowerCase()}: ${String(digits)} digits.`,
    code,
    expectation: `must be ${String(digits)} digits`,
    example,
  });
}
