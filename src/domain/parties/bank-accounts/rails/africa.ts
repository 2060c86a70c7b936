import {
  accountNumberField,
  bankCodeField,
  branchCodeField,
  requiredField,
} from '../account-field.ts';
import { detailProblem } from '../detail-problem.ts';
import { isValidNuban } from '../nuban.ts';
import type { RulesOfRail } from '../rail-rules.ts';

/** NIP (Nigeria). Source: CBN, Revised Standards on NUBAN (2020). */
export const NIP: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    accountNumber: {
      ...accountNumberField(10, 10, '0000014579'),
      description:
        'The NUBAN: 10 digits. The last digit is a check digit that also covers the bank code.',
    },
    bankCode: requiredField(NUBAN_BANK_CODE, {
      title: 'Bank code',
      description: 'The CBN code: 3 digits for a bank, or 5 digits for another institution.',
      code: 'invalid_bank_code',
      expectation: 'must be 3 digits, 5 digits, or 6 digits that begin with 9',
      example: '011',
    }),
  },
  check({ bankCode = '', accountNumber = '' }) {
    if (isValidNuban(bankCode, accountNumber)) return [];
    const message = 'accountNumber must be a NUBAN of this bank with a right check digit';
    return [detailProblem('accountNumber', 'invalid_account_number', message)];
  },
});

// The standard itself puts a 9 before the 5 digits of institutions that are no deposit money banks.
const NUBAN_BANK_CODE = {
  pattern: '^(?:[0-9]{3}|[0-9]{5}|9[0-9]{5})$',
  minLength: 3,
  maxLength: 6,
  normalise: (text: string) => (text.length === 5 ? `9${text}` : text),
};

/** GhIPSS Instant Pay (Ghana). Source: GhIPSS, institution codes of 6 digits. */
export const GIP: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: bankCodeField(6, '300303', 'The institution code at GhIPSS: 6 digits.'),
    accountNumber: accountNumberField(6, 17, '0001234567890'),
  },
});

/** PesaLink (Kenya). Source: Kenya Bankers Association, bank codes of 2 digits. */
export const PESALINK: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: bankCodeField(2, '01', 'The bank code: 2 digits.'),
    accountNumber: accountNumberField(6, 16, '0001234567890'),
  },
});

/** Real-Time Clearing (South Africa). Source: PayInc (BankservAfrica), branch codes of 6 digits. */
export const RTC: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    branchCode: branchCodeField(6, '250655', "The bank's universal branch code, 6 digits."),
    accountNumber: accountNumberField(6, 13, '0001234567'),
  },
});
