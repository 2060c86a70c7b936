import { Type } from 'typebox';
import { SUBSCRIPTIONS } from '../../domain/webhooks/event-types.ts';
import { Timestamp } from './common.ts';
import { PlainText } from './person.ts';

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

export const NewWebhookEndpoint = Type.Object(
  {
    url: Url,
    types: Type.Optional(Types),
    description: Type.Optional(PlainText(200, 'For yourself.', 'Payment updates')),
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
  status: Type.Enum(['ENABLED', 'DISABLED'] as const, {
    type: 'string',
    description:
      'DISABLED after an answer of 410 or four days of nothing but failures; its undelivered events are kept.',
    examples: ['ENABLED'],
  }),
  version: Type.Integer({ minimum: 1, description: 'Goes up by one with every change.' }),
  createdAt: Timestamp('When it was created.'),
  updatedAt: Timestamp('When it last changed.'),
};

export const WebhookEndpoint = Type.Object(fields, {
  title: 'WebhookEndpoint',
  additionalProperties: false,
  description: 'An endpoint that events are sent to.',
});

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

export const WebhookEndpointPath = Type.Object({
  webhookEndpointId: Type.String({ description: 'The id of the endpoint.' }),
});
