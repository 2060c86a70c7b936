import type { Static } from 'typebox';
import type { Kyc, KycCallback } from '../schemas/kyc.ts';
import { exampleId, exampleTime, type ExampleTable } from './operation-example.ts';

const STARTED: Static<typeof Kyc> = {
  id: exampleId('kyc'),
  endUserId: exampleId('eu'),
  status: 'PENDING',
  reasons: [],
  expiresAt: null,
  link: {
    url: 'https://payouts.example.com/kyc/sample-link-of-the-hosted-page',
    expiresAt: '2026-10-06T12:01:00.000Z',
  },
  version: 1,
  createdAt: exampleTime('12:01:00'),
  updatedAt: exampleTime('12:01:00'),
};

const APPROVED: Static<typeof Kyc> = {
  ...STARTED,
  status: 'APPROVED',
  expiresAt: '2027-09-29T12:02:00.000Z',
  version: 3,
  updatedAt: exampleTime('12:02:00'),
};

const UNREADABLE: Static<typeof Kyc> = {
  ...STARTED,
  status: 'RESUBMISSION_REQUIRED',
  reasons: [
    { code: 'DOCUMENT_UNREADABLE', message: 'A document cannot be read.', retryable: true },
  ],
  version: 3,
  updatedAt: exampleTime('12:02:00'),
};

const REPORT: Static<typeof KycCallback> = {
  reference: exampleId('kyc'),
  status: 'APPROVED',
  reasons: [],
  version: 3,
  at: exampleTime('12:02:00'),
};

export const KYC_EXAMPLES: ExampleTable = {
  startKyc: {
    started: {
      summary: 'A new check',
      request: { redirectUrl: 'https://example.com/kyc-done' },
      status: 201,
      answer: STARTED,
    },
    underWay: {
      summary: 'A check is approved already',
      request: {},
      status: 200,
      answer: APPROVED,
    },
  },
  getKyc: {
    approved: { summary: 'Approved', status: 200, answer: APPROVED },
    resubmission: { summary: 'A document is to be sent again', status: 200, answer: UNREADABLE },
  },
  receiveKycCallback: {
    approved: { summary: 'An approval', request: REPORT, status: 202, answer: {} },
  },
};
