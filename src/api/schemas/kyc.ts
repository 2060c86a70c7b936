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
            description:
              'The URL to which the hosted page redirects the end-user, with https. Test keys may use http.',
            examples: ['https://example.com/kyc-done'],
          }),
        ),
      },
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { description: 'A JSON object, or no body.' },
);

const KycReason = Type.Object(
  {
    code: Type.String({ examples: ['DOCUMENT_UNREADABLE'] }),
    message: Type.String({ description: 'A description for developers. The text may change.' }),
    retryable: Type.Boolean({
      description: 'Whether the end-user can correct the problem with another attempt.',
    }),
  },
  { additionalProperties: false },
);

export const Kyc = Type.Object(
  {
    id: Type.String({ examples: ['kyc_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    endUserId: Type.String({ examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    status: KycStatus,
    reasons: Type.Array(KycReason, {
      description: 'The reasons for the status. Empty if there is no problem.',
    }),
    expiresAt: Type.Union([Timestamp('The time at which the approval expires.'), Type.Null()], {
      description:
        'The time at which the approval expires. The check is then EXPIRED, and you can start a new one. Null if the check is not APPROVED or does not expire.',
    }),
    link: Type.Union(
      [
        Type.Object(
          {
            url: Type.String({
              description: 'The URL of the hosted page. Give it to the end-user only.',
            }),
            expiresAt: Timestamp('The time at which the link expires.'),
          },
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'The link to the hosted page. Null if the end-user was erased.' },
    ),
    version: Type.Integer({
      minimum: 1,
      description: 'The version of the resource. It increases by one with every change.',
    }),
    createdAt: Timestamp('The time at which the check was started.'),
    updatedAt: Timestamp('The time of the last change.'),
  },
  { title: 'KycCheck', additionalProperties: false, description: 'A KYC check of an end-user.' },
);

/** What a KYC provider tells. Its text is not kept: it may name a person. */
export const KycCallback = Type.Object(
  {
    reference: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The id that the service gave the check.',
    }),
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
      { type: 'string', description: 'The status of the check.' },
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
      { maxItems: 20, description: 'The reasons for the status.' },
    ),
    version: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'The version of the check. It increases by one with every change.',
    }),
    expiresAt: Type.Optional(
      Timestamp('The time at which an approval expires, if the provider sets one.'),
    ),
    at: Type.Optional(Timestamp("The time of the provider's decision.")),
  },
  { additionalProperties: false, description: 'A report of the KYC provider.' },
);
