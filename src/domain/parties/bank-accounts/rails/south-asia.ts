import {
  accountNumberField,
  bankCodeField,
  branchCodeField,
  requiredField,
} from '../account-field.ts';
import { isValidIfsc } from '../ifsc.ts';
import type { RulesOfRail } from '../rail-rules.ts';
import { codeForm, digitsForm } from '../written-form.ts';

/** UPI (India). Source: NPCI, UPI procedural guidelines: name@handle. */
export const UPI: RulesOfRail = () => ({
  accountFields: ['vpa'],
  fields: {
    vpa: requiredField(
      {
        pattern: '^[A-Za-z0-9._\\-]{2,256}@[A-Za-z][A-Za-z0-9]{1,63}$',
        minLength: 5,
        maxLength: 255,
        normalise: (text) => text.toLowerCase(),
      },
      {
        title: 'UPI ID',
        description: 'The virtual payment address, such as ada.sample@okbank.',
        code: 'invalid_vpa',
        expectation: 'must be a virtual payment address like ada.sample@okbank',
        example: 'ada.sample@okbank',
      },
    ),
  },
});

/** IMPS (India), to an account. Source: Reserve Bank of India, IFSC; NPCI, account numbers. */
export const IMPS: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    ifsc: requiredField(codeForm(['A-Z', 4], ['0', 1], ['A-Z0-9', 6]), {
      title: 'IFSC',
      description: 'The IFSC of the branch: 11 characters. The fifth character is a zero.',
      isValid: isValidIfsc,
      code: 'invalid_ifsc',
      expectation: 'must be an IFSC of 11 characters, the fifth a zero',
      example: 'HDFC0000001',
    }),
    accountNumber: accountNumberField(9, 18, '000123456789'),
  },
});

/** BEFTN (Bangladesh). Source: Bangladesh Bank, routing numbers of 9 digits. */
export const BEFTN: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    routingNumber: requiredField(digitsForm(9), {
      title: 'Routing number',
      description: 'The routing number of the branch: 9 digits.',
      code: 'invalid_routing_number',
      expectation: 'must be 9 digits',
      example: '010260001',
    }),
    accountNumber: accountNumberField(7, 17, '0001234567890'),
  },
});

/** CEFTS (Sri Lanka). Source: LankaPay, bank and branch directory. */
export const CEFTS: RulesOfRail = () => ({
  accountFields: ['accountNumber'],
  fields: {
    bankCode: bankCodeField(4, '7010', 'The bank code at LankaPay: 4 digits.'),
    branchCode: branchCodeField(3, '001', 'The branch code at LankaPay: 3 digits.'),
    accountNumber: accountNumberField(5, 15, '000123456789'),
  },
});
