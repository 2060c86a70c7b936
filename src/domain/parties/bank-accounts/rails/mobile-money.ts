import { choiceField, requiredField } from '../account-field.ts';
import type { AccountField } from '../account-field.ts';
import { isValidE164 } from '../e164.ts';
import { MOBILE_MARKETS } from '../mobile-markets.ts';
import type { RulesOfRail } from '../rail-rules.ts';
import { BLANKS, SEPARATOR_PATTERN, withoutSeparators } from '../written-form.ts';

/** A wallet at a mobile operator: the telephone number is the account (ITU-T E.164). */
export const MOBILE_MONEY: RulesOfRail = ({ country }) => ({
  accountFields: ['phone'],
  fields: { phone: phoneField(country), operator: operatorField(country) },
});

const ANYWHERE = { callingCode: '', digits: 7, digitsMax: 15, operators: undefined };

function phoneField(country: string): AccountField {
  const market = MOBILE_MARKETS[country];
  const { callingCode, digits, digitsMax = digits } = market ?? ANYWHERE;
  const begins = `+${callingCode}`;
  return requiredField(
    {
      pattern: `^\\+[${BLANKS}]?${callingCode}${SEPARATOR_PATTERN}(?:[0-9]${SEPARATOR_PATTERN}){${String(digits)},${String(digitsMax)}}$`,
      minLength: begins.length + digits,
      maxLength: 2 * (begins.length + digitsMax),
      normalise: withoutSeparators,
    },
    {
      title: 'Mobile number',
      description: `The phone number of the mobile money account in E.164 format. It starts with ${begins}.`,
      isValid: isValidE164,
      code: 'invalid_phone',
      expectation: `must be an E.164 number that begins with ${begins}`,
      example: begins + '7'.padEnd(digits, '0'),
    },
  );
}

function operatorField(country: string): AccountField {
  const facts = {
    title: 'Operator',
    description: 'The mobile money operator.',
    code: 'invalid_operator',
  } as const;
  const operators = MOBILE_MARKETS[country]?.operators;
  if (operators !== undefined) return choiceField(operators, facts);
  return requiredField(
    {
      pattern: '^[A-Z][A-Z0-9_]{1,29}$',
      minLength: 2,
      maxLength: 30,
      normalise: (text) => text,
    },
    {
      ...facts,
      expectation: 'must be the name of an operator in capital letters',
      example: 'MTN',
    },
  );
}
