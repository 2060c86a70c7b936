import { accountNumberField, requiredField } from '../account-field.ts';
import { isValidBsb } from '../bsb.ts';
import type { RulesOfRail } from '../rail-rules.ts';
import { digitsForm } from '../written-form.ts';

/** Direct Entry and the New Payments Platform (Australia). Source: AusPayNet, BSB register. */
export const AUSTRALIA: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    bsb: requiredField(digitsForm(6), {
      title: 'BSB',
      description: 'The BSB of the branch: 6 digits, such as 062-000.',
      isValid: isValidBsb,
      code: 'invalid_bsb',
      expectation: 'must be a BSB of 6 digits',
      example: '062000',
    }),
    accountNumber: accountNumberField(4, 9, '12345678'),
  },
});

const NUMBER_NZ = accountNumberField(15, 16, '0100010000000000');

/** Bulk Electronic Clearing (New Zealand). Source: Payments NZ: bank 2, branch 4, account 7, suffix 2 or 3. */
export const BECS_NZ: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    accountNumber: {
      ...NUMBER_NZ,
      // A suffix of two digits and the same with a zero before it are one account.
      normalise: (text) => NUMBER_NZ.normalise(text).replace(/^([0-9]{13})(?=[0-9]{2}$)/, '$&0'),
      description:
        'The bank, branch, account, and suffix: 15 or 16 digits, such as 01-0001-0000000-00.',
    },
  },
});
