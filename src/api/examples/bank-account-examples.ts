import type { Static } from 'typebox';
import type {
  BankAccount,
  BankAccountRequirements,
  NewBankAccount,
} from '../schemas/bank-account.ts';
import { exampleId, exampleTime, onlyPage, type ExampleTable } from './operation-example.ts';

const ORDER = {
  endUserId: exampleId('eu'),
  country: 'DE',
  currency: 'EUR',
  rail: 'SEPA',
  holderName: 'Ada Sample',
  holderType: 'INDIVIDUAL',
  details: { iban: 'DE89370400440532013000' },
} as const satisfies Static<typeof NewBankAccount>;

const ACTIVE: Static<typeof BankAccount> = {
  ...ORDER,
  id: exampleId('ba'),
  details: { iban: '****3000' },
  last4: '3000',
  fingerprint: 'q83vEjRWeJASNFZ4kBI0VniQEjRWeJASNFZ4kBI0Vng',
  bankName: 'Sample Bank',
  status: 'ACTIVE',
  nameCheck: 'MATCH',
  version: 1,
  createdAt: exampleTime('12:05:00'),
  updatedAt: exampleTime('12:05:00'),
};

const DISABLED: Static<typeof BankAccount> = {
  ...ACTIVE,
  status: 'DISABLED',
  version: 2,
  updatedAt: exampleTime('12:40:00'),
};

/** Shortened: a real one describes every field of the body. */
const REQUIREMENTS: Static<typeof BankAccountRequirements> = {
  country: 'DE',
  currency: 'EUR',
  rail: 'SEPA',
  holderType: 'INDIVIDUAL',
  schema: {
    type: 'object',
    properties: {
      details: {
        type: 'object',
        properties: { iban: { type: 'string', description: 'IBAN of the account.' } },
        required: ['iban'],
        additionalProperties: false,
      },
    },
    required: ['details'],
  },
};

export const BANK_ACCOUNT_EXAMPLES: ExampleTable = {
  createBankAccount: {
    sepa: { summary: 'An account in euros', request: ORDER, status: 201, answer: ACTIVE },
    known: {
      summary: 'The end-user has this account already',
      request: { ...ORDER, details: { iban: 'DE89 3704 0044 0532 0130 00' } },
      status: 200,
      answer: ACTIVE,
    },
  },
  listBankAccounts: { page: { summary: 'One account', status: 200, answer: onlyPage(ACTIVE) } },
  getBankAccount: { active: { summary: 'It can be paid to', status: 200, answer: ACTIVE } },
  disableBankAccount: {
    disabled: { summary: 'No longer paid to', status: 200, answer: DISABLED },
  },
  listBankAccountRequirements: {
    page: { summary: 'What a German account needs', status: 200, answer: onlyPage(REQUIREMENTS) },
  },
};
