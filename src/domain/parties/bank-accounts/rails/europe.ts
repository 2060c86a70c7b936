import { accountNumberField, requiredField } from '../account-field.ts';
import { isValidSortCode } from '../sort-code.ts';
import type { RulesOfRail } from '../rail-rules.ts';
import { digitsForm } from '../written-form.ts';

const UK: ReturnType<RulesOfRail> = {
  accountFields: ['accountNumber'],
  fields: {
    sortCode: requiredField(digitsForm(6), {
      title: 'Sort code',
      // Which account numbers a sort code allows is in Pay.UK's tables, which change quarterly.
      description: 'The sort code of the branch: 6 digits, such as 12-34-56.',
      isValid: isValidSortCode,
      code: 'invalid_sort_code',
      expectation: 'must be a sort code of 6 digits',
      example: '123456',
    }),
    accountNumber: accountNumberField(8, 8, '12345678'),
  },
};

/** Faster Payments (United Kingdom). Source: Pay.UK, account numbers of 8 digits. */
export const FPS: RulesOfRail = () => UK;
