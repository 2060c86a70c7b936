import { Type } from 'typebox';
import { Timestamp } from './common.ts';
import { KycStatus } from './end-user.ts';

export const NewKyc = Type.Union(
  [
    Type.Object(
      {
        redirectUrl: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 2048,
            pattern: '^https?://[!-~]+$',
            description: 'Where the end-user is sent after the hosted page; http or https.',
            examples: ['https://example.com/kyc-done'],
          }),
        ),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { description: 'An object, or no body at all.' },
);

const KycReason = Type.Object(
  {
    code: Type.String({ examples: ['DOCUMENT_UNREADABLE'] }),
    message: Type.String({ description: 'For developers; it may change.' }),
    retryable: Type.Boolean({ description: 'Whether the end-user can mend it by trying again.' }),
  },
  { additionalProperties: false },
);

export const Kyc = Type.Object(
  {
    id: Type.String({ examples: ['kyc_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    endUserId: Type.String({ examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    status: KycStatus,
    reasons: Type.Array(KycReason, {
      description: 'Why it stands there; empty where all is well.',
    }),
    expiresAt: Type.Union([Timestamp('Until when an approval holds.'), Type.Null()], {
      description:
        'Until when the approval holds; then the check is EXPIRED and a new one may be started. Null unless APPROVED with an end.',
    }),
    link: Type.Union(
      [
        Type.Object(
          {
            url: Type.String({ description: 'The hosted page: give it to the end-user only.' }),
            expiresAt: Timestamp('Until when the page opens.'),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'Null where the end-user was erased.' },
    ),
    version: Type.Integer({ minimum: 1, description: 'Goes up by one with every change.' }),
    createdAt: Timestamp('When the check was started.'),
    updatedAt: Timestamp('When it last changed.'),
  },
  { title: 'KycCheck', additionalProperties: false, description: 'One KYC check of an end-user.' },
);

/** What a KYC provider tells. Its text is not kept: it may name a person. */
export const KycCallback = Type.Object(
  {
    reference: Type.String({ minLength: 1, maxLength: 100, description: 'Our id of the check.' }),
    status: Type.Enum(
      [
        'PENDING',
        'IN_REVIEW',
        'APPROVED',
        'REJECTED',
        'RESUBMISSION_REQUIRED',
        'EXPIRED',
        'REVOKED',
      ],
      { type: 'string', description: 'Where the check stands.' },
    ),
    reasons: Type.Array(
      Type.Object(
        {
          code: Type.String({ pattern: '^[A-Za-z0-9_.-]{1,64}$' }),
          message: Type.Optional(Type.String({ maxLength: 1000 })),
          retryable: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
      { maxItems: 20, description: 'Why it stands there.' },
    ),
    version: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Goes up by one with every change of the check.',
    }),
    expiresAt: Type.Optional(
      Timestamp('Of an approval: until when it holds, where the provider sets an end.'),
    ),
    at: Type.Optional(Timestamp('When the provider decided so.')),
  },
  { additionalProperties: false, description: 'A report of the KYC provider.' },
);
