import type { Static } from 'typebox';
import { ERRORS } from '../../domain/errors/registry.ts';
import { FAILURES } from '../../domain/payments/failures/failure-catalogue.ts';
import { railCodesOf } from '../../domain/payments/failures/rail-reasons.ts';
import type { Corridor } from '../schemas/corridor.ts';
import type { FailureCode } from '../schemas/failure.ts';
import type { NetworkListing } from '../schemas/network.ts';
import { exampleTime, onlyPage, type ExampleTable } from './operation-example.ts';

const BY_SCHEME = {
  kind: 'SOURCE',
  title: 'SEPA Credit Transfer Rulebook',
  date: '2025-10-05',
} as const;
const OURS = { kind: 'DEFAULT' } as const;

const SEPA: Static<typeof Corridor> = {
  ...{ country: 'DE', currency: 'EUR', rail: 'SEPA', isDefault: true },
  ...{ min: '0.01', max: '999999999.99' },
  cutOff: { time: '16:00', timeZone: 'Europe/Berlin' },
  holidays: {
    calendar: 'TARGET',
    closedWeekdays: ['SAT', 'SUN'],
    dates: ['2026-12-25', '2027-01-01'],
  },
  ...{ settlementDays: 1, returnWindowDays: 3, returnsMayBeDeducted: false, status: 'ACTIVE' },
  sources: {
    ...{ min: BY_SCHEME, max: BY_SCHEME, cutOff: OURS, holidays: BY_SCHEME },
    ...{ settlementDays: BY_SCHEME, returnWindowDays: BY_SCHEME },
    ...{ returnsMayBeDeducted: OURS, status: OURS },
  },
};

const BASE: Static<typeof NetworkListing> = {
  network: 'BASE',
  chainId: 8453,
  assets: [
    {
      ...{ asset: 'USDC', contract: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913' },
      ...{ min: '1.000000', max: '50000.000000' },
    },
  ],
  confirmations: {
    credit: { blocks: 12, tag: null },
    creditAbove: { blocks: null, tag: 'safe' },
    final: { blocks: null, tag: 'finalized' },
  },
  status: 'ACTIVE',
};

const NOT_FOUND: Static<typeof FailureCode> = {
  code: 'account_not_found',
  ...FAILURES.account_not_found,
  railCodes: [...railCodesOf('account_not_found')],
};

export const REFERENCE_EXAMPLES: ExampleTable = {
  listCorridors: {
    page: { summary: 'Euros to Germany', status: 200, answer: onlyPage(SEPA) },
  },
  listNetworks: { page: { summary: 'USDC on Base', status: 200, answer: onlyPage(BASE) } },
  listErrors: {
    page: {
      summary: 'One code of many',
      status: 200,
      answer: {
        data: [{ error: 'insufficient_balance', ...ERRORS.insufficient_balance }],
        ...{ hasMore: true, nextCursor: 'sample-cursor' },
      },
    },
  },
  listFailureCodes: {
    page: {
      summary: 'One reason of many',
      status: 200,
      answer: { data: [NOT_FOUND], hasMore: true, nextCursor: 'sample-cursor' },
    },
  },
  listFxRates: {
    dollars: {
      summary: 'Euros and pounds for a dollar',
      status: 200,
      answer: {
        data: [
          { base: 'USD', quote: 'EUR', rate: '0.85' },
          { base: 'USD', quote: 'GBP', rate: '0.74' },
        ],
        asOf: exampleTime('06:00:00'),
        source: 'ecb',
        stale: false,
        marketClosed: false,
      },
    },
  },
  getHealth: { ok: { summary: 'It runs', status: 200, answer: { status: 'ok', checks: {} } } },
  getReady: {
    ok: {
      summary: 'All is well',
      status: 200,
      answer: { status: 'ok', checks: { postgres: 'ok', temporal: 'ok', sweep: 'ok' } },
    },
  },
  getOpenApi: {
    shortened: {
      summary: 'How it begins',
      status: 200,
      answer: { openapi: '3.1.0', info: { title: 'Causeway partner API', version: 'v1' } },
    },
  },
  receiveBankCallback: {
    settled: {
      summary: 'A transfer was settled',
      request: {
        reference: 'CW01K6B7Q0E8F1HTX9N3R5P7V2AB',
        status: 'SETTLED',
        bankReference: 'SAMPLE-BANK-0001',
        at: exampleTime('12:15:09'),
      },
      status: 202,
      answer: {},
    },
  },
};
