import { Type } from 'typebox';
import { RELATIONSHIPS } from '../../db/parties/end-user-store.ts';
import { KYC_STATUSES } from '../../domain/parties/kyc/kyc-states.ts';
import { Timestamp } from './common.ts';
import { mergePatchOf } from './merge-patch.ts';
import { metadataInput, MetadataOutput } from './metadata.ts';
import { Address, BusinessPerson, CountryCode, Person, PlainText } from './person.ts';

const END_USER_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const;
const END_USER_STATUSES = ['ACTIVE', 'SUSPENDED', 'CLOSED'] as const;

export const EndUserType = Type.Enum(END_USER_TYPES, {
  type: 'string',
  description: 'Who it is: decides between `individual` and `business`.',
  examples: ['INDIVIDUAL'],
});

export const Relationship = Type.Enum(RELATIONSHIPS, {
  type: 'string',
  description:
    'SELF is your own company, at most one: payments to its accounts are withdrawals, and only the operators of the service change it. Every other end-user is a CLIENT.',
  examples: ['CLIENT'],
});

export const EndUserStatus = Type.Enum(END_USER_STATUSES, {
  type: 'string',
  description: 'Only an ACTIVE end-user can be paid for.',
  examples: ['ACTIVE'],
});

export const KycStatus = Type.Enum(KYC_STATUSES, {
  type: 'string',
  description: 'Where the newest KYC check stands. Payments need APPROVED.',
  examples: ['APPROVED'],
});

export const ExternalId = PlainText(
  255,
  'Your own id of the resource, unique per environment. Nothing personal: it is not encrypted.',
  'user-4711',
);

const Business = Type.Object(
  {
    legalName: PlainText(200, 'The registered name.', 'Sample Trading GmbH'),
    registrationNumber: Type.Optional(PlainText(100, 'In the company register.', 'HRB 000000')),
    incorporationCountry: Type.Optional(CountryCode('ISO 3166-1 alpha-2.')),
    persons: Type.Array(BusinessPerson, {
      minItems: 1,
      maxItems: 20,
      description: 'Who stands for the business; KYC begins with the first.',
    }),
  },
  { title: 'Business', additionalProperties: false },
);

const Metadata = metadataInput({
  names: '^[^\\x00-\\x1f\\x7f]*$',
  description:
    'Yours to use: up to 50 pairs, keys to 40 and values to 500 characters, 8 kB in all. Encrypted, and never part of an event.',
  example: { segment: 'retail' },
});

const personal = {
  individual: Type.Optional(Person),
  business: Type.Optional(Business),
  email: Type.Optional(
    Type.String({
      maxLength: 254,
      pattern: '^[^\\s@\\x00-\\x1f\\x7f]{1,64}@[^\\s@\\x00-\\x1f\\x7f]{1,253}$',
      description: 'An e-mail address.',
      examples: ['ada@example.com'],
    }),
  ),
  phone: Type.Optional(
    Type.String({
      maxLength: 16,
      description:
        'E.164: `+` and 7 to 15 digits, the first of them not 0, and nothing else. Another one is `invalid_phone`.',
      examples: ['+4930000000'],
    }),
  ),
  address: Type.Optional(Address),
};

export const NewEndUser = Type.Object(
  {
    type: EndUserType,
    externalId: Type.Optional(ExternalId),
    ...personal,
    metadata: Type.Optional(Metadata),
  },
  {
    title: 'NewEndUser',
    additionalProperties: false,
    description: 'A person or business on whose behalf payments are made.',
    examples: [{ type: 'INDIVIDUAL', individual: { firstName: 'Ada', lastName: 'Sample' } }],
  },
);

export const EndUserPatch = mergePatchOf(
  Type.Object(
    { externalId: Type.Optional(ExternalId), ...personal, metadata: Type.Optional(Metadata) },
    { title: 'EndUser', additionalProperties: false },
  ),
  'What is to change (RFC 7396): null clears, what is left out stays, an array is replaced. The type cannot change.',
);

export const EndUser = Type.Object(
  {
    id: Type.String({ examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    type: EndUserType,
    relationship: Relationship,
    externalId: Type.Union([Type.String(), Type.Null()]),
    status: EndUserStatus,
    kycStatus: KycStatus,
    ...personal,
    metadata: MetadataOutput,
    erasedAt: Type.Union([Timestamp('When everything personal was erased.'), Type.Null()]),
    version: Type.Integer({ minimum: 1, description: 'Goes up by one with every change.' }),
    createdAt: Timestamp('When it was registered.'),
    updatedAt: Timestamp('When it last changed.'),
  },
  {
    title: 'EndUser',
    additionalProperties: false,
    description: 'An end-user; tax ids show their last four only.',
  },
);
