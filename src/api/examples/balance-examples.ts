import type { Static } from 'typebox';
import type { BalanceStatement, BalanceStatementSummary } from '../schemas/balance-statement.ts';
import type { BalanceTransaction } from '../schemas/balance-transaction.ts';
import type { FundingInstruction, NewSandboxDeposit, SandboxDeposit } from '../schemas/funding.ts';
import { exampleId, exampleTime, onlyPage, type ExampleTable } from './operation-example.ts';
import { EXAMPLE_CAMT_053, EXAMPLE_STATEMENT_CSV } from './statement-files.ts';

const PAYMENT = { type: 'payment', id: exampleId('pay'), kind: 'PAYOUT' } as const;

const PAID: Static<typeof BalanceTransaction> = {
  id: exampleId('btx'),
  type: 'PAYMENT',
  balance: 'RESERVED',
  currency: 'EUR',
  amount: '-250.00',
  balanceAfter: '0.00',
  source: PAYMENT,
  externalId: 'invoice-4711',
  description: 'Paid out',
  createdAt: exampleTime('12:15:09'),
};

/** 1000.00 came in; 250.00 and a fee of 0.50 went out: 749.50 are left. */
const SUMMARY: Static<typeof BalanceStatementSummary> = {
  currency: 'EUR',
  date: '2026-09-29',
  openingBalance: '0.00',
  closingBalance: '749.50',
  closing: { available: '749.50', reserved: '0.00', pending: '0.00', receivable: '0.00' },
  closedAt: '2026-09-30T00:05:00.000Z',
};

const none = { paymentId: null, externalId: null, reference: null } as const;
const ofPayment = {
  paymentId: exampleId('pay'),
  externalId: 'invoice-4711',
  reference: 'CW01K6B7Q0E8F1HTX9N3R5P7V2AB',
} as const;

const STATEMENT: Static<typeof BalanceStatement> = {
  ...SUMMARY,
  entries: [
    {
      ...{ id: 'btx_01k6b6zzzzf1htx9n3r5p7v2ab', type: 'DEPOSIT', description: 'Money received' },
      ...{ amount: '1000.00', balanceAfter: '1000.00', bookedAt: exampleTime('12:12:00') },
      ...none,
    },
    {
      ...{ id: exampleId('btx'), type: 'PAYMENT', description: 'Paid out' },
      ...{ amount: '-250.00', balanceAfter: '750.00', bookedAt: exampleTime('12:15:09') },
      ...ofPayment,
    },
    {
      ...{ id: 'btx_01k6b7q0e9f1htx9n3r5p7v2ab', type: 'FEE', description: 'Fee of a payment' },
      ...{ amount: '-0.50', balanceAfter: '749.50', bookedAt: exampleTime('12:15:09') },
      ...ofPayment,
    },
  ],
  entryCount: 3,
  totalCredits: '1000.00',
  totalDebits: '-250.50',
};

const REFERENCE = 'RF11K2M8X0Q7T5Z1B9';

const INSTRUCTION: Static<typeof FundingInstruction> = {
  currency: 'EUR',
  rail: 'SEPA',
  account: { iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
  holderName: 'Sample Payouts GmbH',
  bankName: 'Sample Bank',
  reference: REFERENCE,
  printed: 'RF11 K2M8 X0Q7 T5Z1 B9',
};

const PAY_IN = {
  currency: 'EUR',
  amount: '1000.00',
  reference: REFERENCE,
} as const satisfies Static<typeof NewSandboxDeposit>;

const PAID_IN: Static<typeof SandboxDeposit> = {
  ...PAY_IN,
  id: exampleId('sdp'),
  createdAt: exampleTime('12:11:50'),
};

export const BALANCE_EXAMPLES: ExampleTable = {
  listBalances: {
    page: {
      summary: 'Euros and USDC',
      status: 200,
      answer: onlyPage(
        {
          ...{ currency: 'EUR', available: '749.50', reserved: '0.00' },
          ...{ pending: '0.00', receivable: '0.00' },
        },
        {
          ...{ asset: 'USDC', available: '100.000000', reserved: '0.000000' },
          ...{ pending: '0.000000', receivable: '0.000000' },
        },
      ),
    },
  },
  listBalanceTransactions: {
    page: { summary: 'A payment left', status: 200, answer: onlyPage(PAID) },
  },
  getBalanceTransaction: { paid: { summary: 'A payment left', status: 200, answer: PAID } },
  listBalanceStatements: { page: { summary: 'One day', status: 200, answer: onlyPage(SUMMARY) } },
  getBalanceStatement: {
    json: { summary: 'As JSON', status: 200, answer: STATEMENT },
    csv: {
      summary: 'As CSV',
      status: 200,
      mediaType: 'text/csv',
      answer: EXAMPLE_STATEMENT_CSV,
    },
    camt053: {
      summary: 'As camt.053',
      status: 200,
      mediaType: 'application/xml',
      answer: EXAMPLE_CAMT_053,
    },
  },
  listFundingInstructions: {
    page: { summary: 'Where to pay in euros', status: 200, answer: onlyPage(INSTRUCTION) },
  },
  createSandboxDeposit: {
    euros: { summary: 'A thousand euros', request: PAY_IN, status: 202, answer: PAID_IN },
  },
};
