import { Type } from 'typebox';
import { SUBSCRIPTIONS } from '../../domain/webhooks/event-types.ts';
import { NullableTimestamp, Timestamp } from './common.ts';
import { PlainText } from './person.ts';
import { WebhookPublicKey } from './webhook-key.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'Where events are sent by POST. https on port 443 in live, public addresses only, no credentials, no fragment.',
  examples: ['https://hooks.example.com/causeway'],
});

const Types = Type.Array(
  Type.Unsafe<string>({ type: 'string', enum: [...SUBSCRIPTIONS], examples: ['payment.*'] }),
  {
    minItems: 1,
    maxItems: SUBSCRIPTIONS.length,
    description: 'The events to send: types, families (`payment.*`) or everything (`*`).',
    examples: [['payment.*', 'kyc.approved']],
  },
);

const Description = PlainText(200, 'For yourself.', 'Payment updates');

const Thin = Type.Boolean({
  description:
    'Whether webhooks carry only the ids of what happened: `data` is then `{"id": ...}`, and there is no `previous`. False unless said.',
  examples: [false],
});

const Asymmetric = Type.Boolean({
  description:
    'Whether webhooks carry an Ed25519 signature (`v1a`) beside the `v1` one, which they always carry. False unless said; false ends its key pair at once.',
  examples: [false],
});

const Status = Type.Enum(['ENABLED', 'DISABLED'] as const, {
  type: 'string',
  description:
    'DISABLED on request, after an answer of 410, or after four days of nothing but failures. What it misses is kept, and sent once it is ENABLED again.',
  examples: ['ENABLED'],
});

export const NewWebhookEndpoint = Type.Object(
  {
    url: Url,
    types: Type.Optional(Types),
    description: Type.Optional(Description),
    thin: Type.Optional(Thin),
    asymmetric: Type.Optional(Asymmetric),
  },
  {
    title: 'NewWebhookEndpoint',
    additionalProperties: false,
    description: 'An endpoint to send events to; everything unless `types` says otherwise.',
    examples: [{ url: 'https://hooks.example.com/causeway', types: ['payment.*'] }],
  },
);

const fields = {
  id: Type.String({ examples: ['whe_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
  url: Url,
  types: Types,
  description: Type.Union([Type.String(), Type.Null()]),
  thin: Thin,
  asymmetric: Asymmetric,
  publicKeys: Type.Array(WebhookPublicKey, {
    description:
      'What verifies its `v1a` signatures, newest first; two while a rotation overlaps, none where it is not asymmetric. Receivers find the same, without a key, at `/.well-known/webhook-keys/{id}`.',
  }),
  status: Status,
  disabledAt: NullableTimestamp('When it was disabled.'),
  disabledReason: Type.Union(
    [
      Type.Enum(['REQUESTED', 'RECEIVER_GONE', 'FAILING'] as const, { type: 'string' }),
      Type.Null(),
    ],
    {
      description: 'Why it is DISABLED: on request, by an answer of 410, by four days of failures.',
    },
  ),
  failingSince: NullableTimestamp(
    'Of the first failure since the last success; null also where it was enabled or given another URL since.',
  ),
  version: Type.Integer({ minimum: 1, description: 'Goes up by one with every change.' }),
  createdAt: Timestamp('When it was created.'),
  updatedAt: Timestamp('When it last changed.'),
};

export const WebhookEndpoint = Type.Object(fields, {
  title: 'WebhookEndpoint',
  additionalProperties: false,
  description: 'An endpoint that events are sent to.',
});

export const WebhookEndpointInFull = Type.Object(
  {
    ...fields,
    health: Type.Object(
      {
        lastSuccessAt: NullableTimestamp(
          'When a webhook was last answered with 2xx, of those of the last 90 days.',
        ),
        backlog: Type.Integer({
          minimum: 0,
          maximum: 10_000,
          description:
            'Deliveries that wait, for a first attempt or another one; counted to 10,000. What it missed while it was disabled is counted as it is queued.',
        }),
        medianDelayMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
          description:
            'How late first attempts are: the median of the newest 100, delivered or not, from the moment at which each was due (when it happened, or was queued again) to the end of the attempt. Null before the first.',
        }),
      },
      { additionalProperties: false, description: 'How it is doing.' },
    ),
  },
  {
    title: 'WebhookEndpointInFull',
    additionalProperties: false,
    description: 'An endpoint, and how it is doing.',
  },
);

export const CreatedWebhookEndpoint = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description:
        'Signs every webhook to this endpoint (Standard Webhooks 1.0). Shown here and never again.',
      examples: ['whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
    }),
  },
  {
    title: 'CreatedWebhookEndpoint',
    additionalProperties: false,
    description: 'A new endpoint with its secret.',
  },
);

export const WebhookEndpointPatch = Type.Object(
  {
    url: Type.Optional(Url),
    types: Type.Optional(Types),
    description: Type.Optional(Type.Union([Description, Type.Null({ description: 'Clears it.' })])),
    thin: Type.Optional(Thin),
    asymmetric: Type.Optional(Asymmetric),
    status: Type.Optional(Status),
  },
  {
    title: 'WebhookEndpointPatch',
    additionalProperties: false,
    description: 'A JSON Merge Patch of an endpoint.',
    examples: [{ status: 'ENABLED' }],
  },
);

export const SecretRotation = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Integer({
        ...{ minimum: 0, maximum: 168, default: 24, examples: [24] },
        description:
          'For how long webhooks are signed with the secret before as well. 24 unless said; 0 ends it at once.',
      }),
    ),
  },
  {
    title: 'SecretRotation',
    additionalProperties: false,
    description: 'How a secret is replaced.',
  },
);

export const RotatedWebhookEndpoint = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description: 'The new secret. Shown here and never again.',
      examples: ['whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
    }),
    previousSecretExpiresAt: Timestamp('From then on the secret before signs no more.'),
  },
  {
    title: 'RotatedWebhookEndpoint',
    additionalProperties: false,
    description: 'An endpoint with its new secret.',
  },
);

export const WebhookEndpointPath = Type.Object({
  webhookEndpointId: Type.String({ description: 'The id of the endpoint.' }),
});
