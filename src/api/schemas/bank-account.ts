import { Type } from 'typebox';
import { BANK_ACCOUNT_STATUSES } from '../../db/parties/bank-account-store.ts';
import { NAME_CHECKS } from '../../domain/parties/bank-accounts/name-check.ts';
import { RAILS } from '../../domain/payments/corridors/rail.ts';
import { CurrencyCode, Timestamp } from './common.ts';
import { Address, CountryCode, PlainText } from './person.ts';

export const BankAccountStatus = Type.Enum(BANK_ACCOUNT_STATUSES, {
  title: 'BankAccountStatus',
  type: 'string',
  description:
    'The status of the account. You can pay to an ACTIVE account only. PENDING: an account of your own company that awaits approval by the operators of the service.',
  examples: ['ACTIVE'],
});

export const HolderType = Type.Enum(['INDIVIDUAL', 'BUSINESS'] as const, {
  title: 'HolderType',
  type: 'string',
  description: 'The type of the account holder: a person or a business.',
  examples: ['INDIVIDUAL'],
});

export const NewBankAccount = Type.Object(
  {
    endUserId: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The id of the end-user whose payments go to the account.',
      examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    country: CountryCode('The country of the account, as a two-letter ISO 3166-1 code.'),
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      'x-error': { pattern: 'unsupported_currency' },
      description: 'The currency of the account, as a three-letter ISO 4217 code.',
      examples: ['EUR'],
    }),
    rail: Type.Optional(
      Type.String({
        pattern: '^[A-Z][A-Z0-9_]{1,29}$',
        description: `The rail that carries payments to the account. One of ${RAILS.join(', ')}. Default: the default rail of the corridor.`,
        examples: ['SEPA'],
      }),
    ),
    holderName: PlainText(140, 'The full name of the account holder.', 'Ada Sample'),
    holderType: HolderType,
    holderAddress: Type.Optional(Address),
    details: Type.Record(Type.String(), Type.Unknown(), {
      maxProperties: 20,
      description:
        'The account details. `GET /bank-account-requirements` lists the fields for each country and rail. Printed spaces and hyphens are accepted.',
      examples: [{ iban: 'DE89370400440532013000' }],
    }),
  },
  {
    title: 'NewBankAccount',
    additionalProperties: false,
    description: 'A bank account to pay to. You cannot change it later.',
  },
);

export const BankAccount = Type.Object(
  {
    id: Type.String({ examples: ['ba_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    endUserId: Type.String({ examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    country: Type.String({ examples: ['DE'] }),
    currency: CurrencyCode('The currency of the account, as a three-letter ISO 4217 code.'),
    rail: Type.Enum(RAILS, { title: 'Rail', type: 'string', examples: ['SEPA'] }),
    holderName: Type.String({ examples: ['Ada Sample'] }),
    holderType: HolderType,
    holderAddress: Type.Optional(Address),
    details: Type.Record(Type.String(), Type.String(), {
      description:
        'The account details, masked. Each value shows its last four characters at most, and never its first two.',
      examples: [{ iban: '****3000' }],
    }),
    last4: Type.String({
      description: 'The last four characters of the account number.',
      examples: ['3000'],
    }),
    fingerprint: Type.String({
      description:
        'An opaque value that is the same for the same account of any of your end-users.',
      examples: ['q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng'],
    }),
    bankName: Type.Union([Type.String(), Type.Null()], {
      description: 'The name of the bank. Null if no bank directory lists it.',
    }),
    status: BankAccountStatus,
    nameCheck: Type.Enum(NAME_CHECKS, {
      title: 'NameCheck',
      type: 'string',
      description:
        'The result of the name check at registration, which compares `holderName` with the name that the bank has. NO_MATCH: payments are refused with `payee_name_mismatch`.',
      examples: ['MATCH'],
    }),
    version: Type.Integer({
      minimum: 1,
      description: 'The version of the resource. It increases by one with every change.',
    }),
    createdAt: Timestamp('The time at which the resource was created.'),
    updatedAt: Timestamp('The time of the last change.'),
  },
  {
    title: 'BankAccount',
    additionalProperties: false,
    description: 'A bank account with masked details.',
  },
);

export const BankAccountRequirements = Type.Object(
  {
    country: Type.String({ examples: ['DE'] }),
    currency: CurrencyCode('The currency of the account, as a three-letter ISO 4217 code.'),
    rail: Type.Enum(RAILS, { title: 'Rail', type: 'string', examples: ['SEPA'] }),
    holderType: HolderType,
    schema: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'A JSON Schema (2020-12) of the body of `POST /bank-accounts` without `endUserId`.',
    }),
  },
  {
    title: 'BankAccountRequirements',
    additionalProperties: false,
    description: 'The fields that a bank account needs on one rail.',
  },
);
