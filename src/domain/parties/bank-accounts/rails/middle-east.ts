import { accountNumberField, bankCodeField, branchCodeField } from '../account-field.ts';
import type { RulesOfRail } from '../rail-rules.ts';

/** Masav (Israel). Source: Bank of Israel, bank and branch codes; the account as the bank writes it. */
export const MASAV: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: bankCodeField(2, '10', 'The bank code: 2 digits.'),
    branchCode: branchCodeField(3, '800', 'The branch code: 3 digits.'),
    accountNumber: accountNumberField(4, 9, '000123456'),
  },
});
