import { Type } from 'typebox';
import { SUBSCRIPTIONS } from '../../domain/webhooks/event-types.ts';
import { NullableTimestamp, Timestamp } from './common.ts';
import { PlainText } from './person.ts';
import { WebhookPublicKey } from './webhook-key.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description:
    'The URL to which events are sent with POST. In live, it must use https on port 443. It must resolve to public addresses only, and must not contain credentials or a fragment.',
  examples: ['https://hooks.example.com/causeway'],
});

const Types = Type.Array(
  Type.Unsafe<string>({
    title: 'EventSubscription',
    type: 'string',
    enum: [...SUBSCRIPTIONS],
    examples: ['payment.*'],
  }),
  {
    minItems: 1,
    maxItems: SUBSCRIPTIONS.length,
    description: 'The event types to send: types, families (`payment.*`), or all types (`*`).',
    examples: [['payment.*', 'kyc.approved']],
  },
);

const Description = PlainText(200, 'Your own description of the endpoint.', 'Payment updates');

const Thin = Type.Boolean({
  description:
    'Whether webhooks contain ids only. `data` is then `{"id": ...}`, and `previous` is absent. Default: false.',
  examples: [false],
});

const Asymmetric = Type.Boolean({
  description:
    'Whether webhooks also have an Ed25519 signature (`v1a`). Default: false. False deletes the key pair immediately.',
  examples: [false],
});

const Status = Type.Enum(['ENABLED', 'DISABLED'] as const, {
  title: 'WebhookEndpointStatus',
  type: 'string',
  description:
    'The status of the endpoint. An endpoint becomes DISABLED on request, after a 410 response, or after four days of failures only. Events that it misses are sent after it is ENABLED again.',
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
    description: 'An endpoint that receives events. It receives all events unless you set `types`.',
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
      'The keys that verify the `v1a` signatures, newest first. There are two during the overlap of a rotation, and none if the endpoint is not asymmetric. Receivers can read the same keys without an API key at `/.well-known/webhook-keys/{id}`.',
  }),
  status: Status,
  disabledAt: NullableTimestamp('The time at which the endpoint was disabled.'),
  disabledReason: Type.Union(
    [
      Type.Enum(['REQUESTED', 'RECEIVER_GONE', 'FAILING'] as const, {
        title: 'WebhookDisabledReason',
        type: 'string',
      }),
      Type.Null(),
    ],
    {
      description:
        'Why the endpoint is DISABLED: on request, after a 410 response, or after four days of failures.',
    },
  ),
  failingSince: NullableTimestamp(
    'The time of the first failure since the last success. Null if there was no failure since then, or since the endpoint was enabled or its URL changed.',
  ),
  version: Type.Integer({
    minimum: 1,
    description: 'The version of the resource. It increases by one with every change.',
  }),
  createdAt: Timestamp('The time at which the resource was created.'),
  updatedAt: Timestamp('The time of the last change.'),
};

export const WebhookEndpoint = Type.Object(fields, {
  title: 'WebhookEndpoint',
  additionalProperties: false,
  description: 'An endpoint that receives events.',
});

export const WebhookEndpointInFull = Type.Object(
  {
    ...fields,
    health: Type.Object(
      {
        lastSuccessAt: NullableTimestamp(
          'The time of the last 2xx response to a webhook, within the last 90 days.',
        ),
        backlog: Type.Integer({
          minimum: 0,
          maximum: 10_000,
          description:
            'The number of deliveries that wait for a first or further attempt, up to 10,000. Events that the endpoint missed while it was disabled count once they are queued.',
        }),
        medianDelayMs: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
          description:
            'The median delay of the newest 100 first attempts, in milliseconds, measured from the time at which each delivery was due to the end of the attempt. A delivery is due when its event happens or is queued again. Null before the first attempt.',
        }),
      },
      { additionalProperties: false, description: 'The health of the endpoint.' },
    ),
  },
  {
    title: 'WebhookEndpointInFull',
    additionalProperties: false,
    description: 'An endpoint with its health.',
  },
);

export const CreatedWebhookEndpoint = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description:
        'The secret that signs every webhook to this endpoint (Standard Webhooks 1.0). No later answer shows it again.',
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
          'The number of hours during which webhooks are also signed with the previous secret. Default: 24. With 0, the previous secret becomes invalid immediately.',
      }),
    ),
  },
  {
    title: 'SecretRotation',
    additionalProperties: false,
    description: 'The options of a secret rotation.',
  },
);

export const RotatedWebhookEndpoint = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description: 'The new secret. No later answer shows it again.',
      examples: ['whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
    }),
    previousSecretExpiresAt: Timestamp('The time at which the previous secret expires.'),
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
