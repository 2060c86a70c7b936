import { accountNumberField, bankCodeField } from '../account-field.ts';
import { bicField } from '../bic-field.ts';
import { PROMPTPAY_RULES } from '../promptpay.ts';
import type { RulesOfRail } from '../rail-rules.ts';

/** FAST (Singapore). Source: Association of Banks in Singapore; the BIC names the bank. */
export const FAST: RulesOfRail = ({ country }) => ({
  accountFields: ['accountNumber'],
  fields: { bic: bicField(country), accountNumber: accountNumberField(6, 16, '0001234567') },
});

/** PromptPay (Thailand). */
export const PROMPTPAY: RulesOfRail = () => PROMPTPAY_RULES;

/** InstaPay (Philippines), whose participants are known by their BIC. Source: Bangko Sentral. */
export const INSTAPAY: RulesOfRail = ({ country }) => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: { ...bicField(country), title: 'Bank code', code: 'invalid_bank_code' },
    accountNumber: accountNumberField(6, 19, '000123456789'),
  },
});

/** DuitNow (Malaysia), whose participants are known by their BIC. Source: PayNet. */
export const DUITNOW: RulesOfRail = ({ country }) => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: { ...bicField(country), title: 'Bank code', code: 'invalid_bank_code' },
    accountNumber: accountNumberField(5, 17, '000123456789'),
  },
});

/** BI-FAST (Indonesia). Source: Bank Indonesia, bank codes of 3 digits. */
export const BI_FAST: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: bankCodeField(3, '014', 'The bank code: 3 digits.'),
    accountNumber: accountNumberField(6, 16, '0001234567'),
  },
});

/** NAPAS 247 (Vietnam). Source: NAPAS, VietQR: the bank's number of 6 digits (BIN). */
export const NAPAS: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: bankCodeField(6, '970400', 'The identification number (BIN) of the bank: 6 digits.'),
    accountNumber: accountNumberField(6, 19, '000123456789'),
  },
});
