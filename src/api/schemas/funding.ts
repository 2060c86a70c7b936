import { Type } from 'typebox';
import { AmountInput, AmountText, CurrencyCode, Timestamp } from './common.ts';

export const FundingInstruction = Type.Object(
  {
    currency: CurrencyCode(
      'A three-letter ISO 4217 currency code. Funds in another currency are not credited under this reference.',
    ),
    rail: Type.String({
      description: 'The rail on which the account receives funds.',
      examples: ['SEPA'],
    }),
    account: Type.Record(Type.String(), Type.String(), {
      description:
        'The details of the account to pay to. The fields depend on the rail, such as `iban`, `bic`, or `accountNumber`.',
      examples: [{ iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }],
    }),
    holderName: Type.String({ description: 'The name of the account holder.' }),
    bankName: Type.Union([Type.String(), Type.Null()]),
    reference: Type.String({
      pattern: '^RF[0-9]{2}[0-9A-Z]{14}$',
      description:
        'Your ISO 11649 creditor reference for this currency and environment. It never changes. The payer must put it in the remittance information, without any other reference.',
      examples: ['RF11K2M8X0Q7T5Z1B9'],
    }),
    printed: Type.String({
      description:
        'The reference in printed form, in groups of four characters. Spaces and letter case do not matter.',
      examples: ['RF11 K2M8 X0Q7 T5Z1 B9'],
    }),
  },
  { title: 'FundingInstruction', additionalProperties: false },
);

export const NewSandboxDeposit = Type.Object(
  {
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      'x-error': { pattern: 'unsupported_currency' },
      description: 'A three-letter ISO 4217 currency code.',
      examples: ['EUR'],
    }),
    amount: AmountInput('The amount that the payer sends.'),
    reference: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9 ]{1,35}$',
        description:
          'The reference that the payer gives. Default: your own reference for the currency. A deposit with an unknown reference stays unmatched.',
        examples: ['RF11K2M8X0Q7T5Z1B9'],
      }),
    ),
  },
  {
    title: 'NewSandboxDeposit',
    additionalProperties: false,
    description: 'A deposit to simulate.',
  },
);

export const SandboxDeposit = Type.Object(
  {
    id: Type.String({ examples: ['sdp_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    currency: CurrencyCode('A three-letter ISO 4217 currency code.'),
    amount: AmountText('The amount that the payer sends, in major units.'),
    reference: Type.String({ description: 'The reference that the payer gives.' }),
    createdAt: Timestamp('The time of the request.'),
  },
  { title: 'SandboxDeposit', additionalProperties: false, description: 'The simulated deposit.' },
);
