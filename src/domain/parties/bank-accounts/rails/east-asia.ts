import {
  accountNumberField,
  accountTypeField,
  bankCodeField,
  branchCodeField,
  requiredField,
} from '../account-field.ts';
import { isValidCnapsCode } from '../cnaps.ts';
import type { RulesOfRail } from '../rail-rules.ts';
import { digitsForm } from '../written-form.ts';

/** Faster Payment System (Hong Kong). Source: HKICL, clearing codes; the branch is part of the number. */
export const FPS_HK: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    clearingCode: requiredField(digitsForm(3), {
      title: 'Clearing code',
      description: 'The clearing code of the bank: 3 digits.',
      code: 'invalid_clearing_code',
      expectation: 'must be 3 digits',
      example: '004',
    }),
    accountNumber: accountNumberField(6, 15, '000123456789'),
  },
});

/** CNAPS (China): the branch and an account or card number. Source: People's Bank of China. */
export const CNAPS: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    cnapsCode: requiredField(digitsForm(12), {
      title: 'CNAPS code',
      description: 'The CNAPS code of the branch: 12 digits. The last digit is a check digit.',
      isValid: isValidCnapsCode,
      code: 'invalid_cnaps_code',
      expectation: 'must be a CNAPS code of 12 digits with a right check digit',
      example: '102100099996',
    }),
    accountNumber: accountNumberField(8, 32, '000123456789'),
  },
});

/** ACH (Taiwan): the bank's 3 digits, or 7 with its branch. Source: Taiwan Clearing House. */
export const ACH_TW: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: requiredField(
      { ...digitsForm(3, 7), pattern: '^[0-9]{3}(?:[ \\-]?[0-9]{4})?$', maxLength: 8 },
      {
        title: 'Bank code',
        description: 'The bank code: 3 digits, or 7 digits with the branch.',
        code: 'invalid_bank_code',
        expectation: 'must be 3 or 7 digits',
        example: '004',
      },
    ),
    accountNumber: accountNumberField(6, 16, '000123456789'),
  },
});

/** Zengin (Japan). Source: Zenginkyo, bank and branch codes, account numbers of 7 digits. */
export const ZENGIN: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: bankCodeField(4, '0001', 'The bank code: 4 digits.'),
    branchCode: branchCodeField(3, '001', 'The branch code: 3 digits.'),
    accountType: accountTypeField('ORDINARY', 'CURRENT', 'SAVINGS'),
    accountNumber: accountNumberField(7, 7, '0001234'),
  },
});

/** KFTC (Republic of Korea). Source: Korea Financial Telecommunications and Clearings Institute. */
export const KFTC: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: bankCodeField(3, '004', 'The bank code: 3 digits.'),
    accountNumber: accountNumberField(10, 16, '000123456789'),
  },
});
