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
  title: 'EndUserType',
  type: 'string',
  description:
    'The type of the end-user. INDIVIDUAL requires `individual`, and BUSINESS requires `business`.',
  examples: ['INDIVIDUAL'],
});

export const Relationship = Type.Enum(RELATIONSHIPS, {
  title: 'Relationship',
  type: 'string',
  description:
    'The relationship of the end-user to you. SELF: your own company. You have one at most, payments to its accounts are withdrawals, and only the operators of the service can change it. CLIENT: every other end-user.',
  examples: ['CLIENT'],
});

export const EndUserStatus = Type.Enum(END_USER_STATUSES, {
  title: 'EndUserStatus',
  type: 'string',
  description: 'The status of the end-user. You can make payments for an ACTIVE end-user only.',
  examples: ['ACTIVE'],
});

export const KycStatus = Type.Enum(KYC_STATUSES, {
  title: 'KycStatus',
  type: 'string',
  description: 'The status of the newest KYC check. Payments require APPROVED.',
  examples: ['APPROVED'],
});

export const ExternalId = PlainText(
  255,
  'Your own id for the resource. It must be unique within the environment. Do not put personal data in it, because it is not encrypted.',
  'user-4711',
);

const Business = Type.Object(
  {
    legalName: PlainText(200, 'The registered name of the business.', 'Sample Trading GmbH'),
    registrationNumber: Type.Optional(
      PlainText(100, 'The number in the company register.', 'HRB 000000'),
    ),
    incorporationCountry: Type.Optional(CountryCode('A two-letter ISO 3166-1 country code.')),
    persons: Type.Array(BusinessPerson, {
      minItems: 1,
      maxItems: 20,
      description:
        'The people who represent or own the business. The first person completes the KYC check.',
    }),
  },
  { title: 'Business', additionalProperties: false },
);

const Metadata = metadataInput({
  names: '^[^\\x00-\\x1f\\x7f]*$',
  description:
    'Your own key-value pairs: up to 50 pairs, with keys of up to 40 and values of up to 500 characters, 8 kB in total. They are stored encrypted and never appear in events.',
  example: { segment: 'retail' },
});

const personal = {
  individual: Type.Optional(Person),
  business: Type.Optional(Business),
  email: Type.Optional(
    Type.String({
      maxLength: 254,
      pattern: '^[^\\s@\\x00-\\x1f\\x7f]{1,64}@[^\\s@\\x00-\\x1f\\x7f]{1,253}$',
      description: 'The email address.',
      examples: ['ada@example.com'],
    }),
  ),
  phone: Type.Optional(
    Type.String({
      maxLength: 16,
      description:
        'The phone number in E.164 format: `+` and 7 to 15 digits, the first of which is not 0. Otherwise the answer is `invalid_phone`.',
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
    description: 'A person or business on whose behalf you make payments.',
    examples: [{ type: 'INDIVIDUAL', individual: { firstName: 'Ada', lastName: 'Sample' } }],
  },
);

export const EndUserPatch = mergePatchOf(
  Type.Object(
    { externalId: Type.Optional(ExternalId), ...personal, metadata: Type.Optional(Metadata) },
    { title: 'EndUser', additionalProperties: false },
  ),
  'The fields to change, as a JSON Merge Patch (RFC 7396). Null clears a field, an omitted field keeps its value, and an array replaces the old one. The type cannot change.',
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
    erasedAt: Type.Union([
      Timestamp('The time at which the personal data was erased. Null if it was not.'),
      Type.Null(),
    ]),
    version: Type.Integer({
      minimum: 1,
      description: 'The version of the resource. It increases by one with every change.',
    }),
    createdAt: Timestamp('The time at which the resource was created.'),
    updatedAt: Timestamp('The time of the last change.'),
  },
  {
    title: 'EndUser',
    additionalProperties: false,
    description: 'An end-user. Tax numbers show only their last four characters.',
  },
);
