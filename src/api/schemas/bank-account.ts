import { Type } from 'typebox';
import { BANK_ACCOUNT_STATUSES } from '../../db/parties/bank-account-store.ts';
import { NAME_CHECKS } from '../../domain/parties/bank-accounts/name-check.ts';
import { RAILS } from '../../domain/payments/corridors/rail.ts';
import { CurrencyCode, Timestamp } from './common.ts';
import { Address, CountryCode, PlainText } from './person.ts';

export const BankAccountStatus = Type.Enum(BANK_ACCOUNT_STATUSES, {
  type: 'string',
  description:
    'Only an ACTIVE account can be paid to. PENDING: an account of your own company that waits for its approval by the operators of the service.',
  examples: ['ACTIVE'],
});

export const HolderType = Type.Enum(['INDIVIDUAL', 'BUSINESS'] as const, {
  type: 'string',
  description: 'Whether a person or a business holds the account.',
  examples: ['INDIVIDUAL'],
});

export const NewBankAccount = Type.Object(
  {
    endUserId: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Whose payments go there.',
      examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    country: CountryCode("The account's country, ISO 3166-1 alpha-2."),
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      'x-error': { pattern: 'unsupported_currency' },
      description: "The account's currency, ISO 4217.",
      examples: ['EUR'],
    }),
    rail: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]{1,29}$',
        description: `Over which payments go, one of ${RAILS.join(', ')}. The corridor's first where it is left out.`,
        examples: ['SEPA'],
      }),
    ),
    holderName: PlainText(140, 'The name that the account is under.', 'Ada Sample'),
    holderType: HolderType,
    holderAddress: Type.Optional(Address),
    details: Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: 20,
      description:
        'By country and rail: GET /bank-account-requirements says which fields there are. Blanks and hyphens as printed are taken.',
      examples: [{ iban: 'DE89370400440532013000' }],
    }),
  },
  {
    title: 'NewBankAccount',
    additionalProperties: false,
    description: 'A bank account to pay to. Cannot be changed later.',
  },
);

export const BankAccount = Type.Object(
  {
    id: Type.String({ examples: ['ba_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    endUserId: Type.String({ examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    country: Type.String({ examples: ['DE'] }),
    currency: CurrencyCode("The account's currency, ISO 4217."),
    rail: Type.Enum(RAILS, { type: 'string', examples: ['SEPA'] }),
    holderName: Type.String({ examples: ['Ada Sample'] }),
    holderType: HolderType,
    holderAddress: Type.Optional(Address),
    details: Type.Record(Type.String(), Type.String(), {
      description: 'Masked: the last four characters of each value, never its first two.',
      examples: [{ iban: '****3000' }],
    }),
    last4: Type.String({ description: 'The end of the account number.', examples: ['3000'] }),
    fingerprint: Type.String({
      description: 'Equal for the same account, whichever end-user has it. Opaque.',
      examples: ['q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng'],
    }),
    bankName: Type.Union([Type.String(), Type.Null()], {
      description: 'Where a directory of banks knows it.',
    }),
    status: BankAccountStatus,
    nameCheck: Type.Enum(NAME_CHECKS, {
      type: 'string',
      description:
        "How the holder's name compares with the bank's when the account was registered. NO_MATCH: payments are refused with `payee_name_mismatch`.",
      examples: ['MATCH'],
    }),
    version: Type.Integer({ minimum: 1, description: 'Goes up by one with every change.' }),
    createdAt: Timestamp('When it was registered.'),
    updatedAt: Timestamp('When it last changed.'),
  },
  {
    title: 'BankAccount',
    additionalProperties: false,
    description: 'A bank account, its details masked.',
  },
);

export const BankAccountRequirements = Type.Object(
  {
    country: Type.String({ examples: ['DE'] }),
    currency: CurrencyCode("The account's currency, ISO 4217."),
    rail: Type.Enum(RAILS, { type: 'string', examples: ['SEPA'] }),
    holderType: HolderType,
    schema: Type.Record(Type.String(), Type.Unknown(), {
      description: 'JSON Schema 2020-12 of the body of POST /bank-accounts without endUserId.',
    }),
  },
  {
    title: 'BankAccountRequirements',
    additionalProperties: false,
    description: 'What an account needs that is paid over one rail.',
  },
);
