import type { Static } from 'typebox';
import type { EndUser, NewEndUser } from '../schemas/end-user.ts';
import { exampleId, exampleTime, onlyPage, type ExampleTable } from './operation-example.ts';

const ADA = {
  type: 'INDIVIDUAL',
  externalId: 'user-4711',
  individual: {
    firstName: 'Ada',
    lastName: 'Sample',
    dateOfBirth: '1990-12-31',
    nationality: 'DE',
  },
  email: 'ada@example.com',
  address: { line1: 'Samplestrasse 1', city: 'Berlin', postalCode: '10115', country: 'DE' },
  metadata: { segment: 'retail' },
} as const satisfies Static<typeof NewEndUser>;

const TRADING = {
  type: 'BUSINESS',
  externalId: 'company-0815',
  business: {
    legalName: 'Sample Trading GmbH',
    registrationNumber: 'HRB 000000',
    incorporationCountry: 'DE',
    persons: [{ firstName: 'Ada', lastName: 'Sample', role: 'DIRECTOR' }],
  },
  metadata: {},
} as const satisfies Static<typeof NewEndUser>;

const registered = {
  id: exampleId('eu'),
  relationship: 'CLIENT',
  status: 'ACTIVE',
  kycStatus: 'NOT_STARTED',
  erasedAt: null,
  version: 1,
  createdAt: exampleTime('12:00:00'),
  updatedAt: exampleTime('12:00:00'),
} as const;

const CREATED: Static<typeof EndUser> = { ...registered, ...ADA };

/** Once KYC has approved her: what every payment needs. */
const APPROVED: Static<typeof EndUser> = {
  ...CREATED,
  kycStatus: 'APPROVED',
  version: 4,
  updatedAt: exampleTime('12:02:00'),
};

const PATCH = { email: 'ada.sample@example.com', metadata: { segment: null } };

const UPDATED: Static<typeof EndUser> = {
  ...APPROVED,
  email: PATCH.email,
  metadata: {},
  version: 5,
  updatedAt: exampleTime('12:30:00'),
};

const ERASED: Static<typeof EndUser> = {
  ...registered,
  type: 'INDIVIDUAL',
  externalId: 'user-4711',
  status: 'CLOSED',
  kycStatus: 'APPROVED',
  metadata: {},
  erasedAt: '2031-10-01T09:00:00.000Z',
  version: 6,
  updatedAt: '2031-10-01T09:00:00.000Z',
};

export const END_USER_EXAMPLES: ExampleTable = {
  createEndUser: {
    person: { summary: 'A person', request: ADA, status: 201, answer: CREATED },
    business: {
      summary: 'A business',
      request: TRADING,
      status: 201,
      answer: { ...registered, ...TRADING },
    },
  },
  listEndUsers: { page: { summary: 'One end-user', status: 200, answer: onlyPage(APPROVED) } },
  getEndUser: { approved: { summary: 'Approved by KYC', status: 200, answer: APPROVED } },
  updateEndUser: {
    email: {
      summary: 'Another email address, one pair of metadata cleared',
      request: PATCH,
      status: 200,
      answer: UPDATED,
    },
  },
  closeEndUser: { closed: { summary: 'Closed', status: 204 } },
  eraseEndUser: { erased: { summary: 'Nothing personal is left', status: 200, answer: ERASED } },
};
