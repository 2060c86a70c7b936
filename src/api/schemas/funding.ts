import { Type } from 'typebox';
import { AmountInput, AmountText, CurrencyCode, Timestamp } from './common.ts';

export const FundingInstruction = Type.Object(
  {
    currency: CurrencyCode('ISO 4217. Only money of this currency is credited by the reference.'),
    rail: Type.String({
      description: 'The rail that the account is reached over.',
      examples: ['SEPA'],
    }),
    account: Type.Record(Type.String(), Type.String(), {
      description: 'Our account as payers give it: by rail `iban`, `bic`, `accountNumber`, ...',
      examples: [{ iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }],
    }),
    holderName: Type.String({ description: 'Who holds the account.' }),
    bankName: Type.Union([Type.String(), Type.Null()]),
    reference: Type.String({
      pattern: '^RF[0-9]{2}[0-9A-Z]{14}$',
      description:
        'Must be in the remittance information, and no other one: ISO 11649, with check digits. Yours for this currency and environment, for ever.',
      examples: ['RF11K2M8X0Q7T5Z1B9'],
    }),
    printed: Type.String({
      description: 'The same in groups of four, for people. Blanks and case do not matter.',
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
      description: 'ISO 4217.',
      examples: ['EUR'],
    }),
    amount: AmountInput('What the payer sends, in major units.'),
    reference: Type.Optional(
      Type.String({
        pattern: '^[A-Z0-9 ]{1,35}$',
        description:
          'What the payer writes. Left out: your own reference for the currency. Any other one stays unmatched.',
        examples: ['RF11K2M8X0Q7T5Z1B9'],
      }),
    ),
  },
  { title: 'NewSandboxDeposit', additionalProperties: false },
);

export const SandboxDeposit = Type.Object(
  {
    id: Type.String({ examples: ['sdp_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    currency: CurrencyCode('ISO 4217.'),
    amount: AmountText('What the payer sends.'),
    reference: Type.String({ description: 'What the payer writes.' }),
    createdAt: Timestamp('When it was asked for.'),
  },
  { title: 'SandboxDeposit', additionalProperties: false },
);
