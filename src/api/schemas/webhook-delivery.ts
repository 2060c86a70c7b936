import { Type } from 'typebox';
import { ATTEMPT_FAILURES } from '../../domain/webhooks/attempt.ts';
import { EVENT_TYPES, SUBSCRIPTIONS, type EventType } from '../../domain/webhooks/event-types.ts';
import { NullableTimestamp, Timestamp } from './common.ts';

export const DeliveryStatus = Type.Enum(['PENDING', 'DELIVERED', 'EXHAUSTED'] as const, {
  type: 'string',
  description:
    'PENDING waits for an attempt, DELIVERED was answered with a whole 2xx within 15 s, EXHAUSTED is out of attempts.',
  examples: ['DELIVERED'],
});

const statusCode = Type.Union([Type.Integer(), Type.Null()], {
  description: 'The HTTP status of the answer; null where none came.',
});
const error = Type.Union([Type.String(), Type.Null()], {
  description: `Why it failed: ${['STATUS', 'REDIRECT', ...ATTEMPT_FAILURES].join(', ')}. More may come. Null for a success.`,
});

const fields = {
  eventId: Type.String({ examples: ['evt_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
  type: Type.String({ examples: ['payment.completed'] }),
  resource: Type.Object(
    { type: Type.String(), id: Type.String(), version: Type.Integer({ minimum: 1 }) },
    { additionalProperties: false },
  ),
  status: DeliveryStatus,
  attempts: Type.Integer({
    minimum: 0,
    description: 'Counts from 1 again after each redelivery or replay.',
  }),
  nextAttemptAt: NullableTimestamp(
    'When it is sent next; nothing is sent while the endpoint is disabled, and it may be sent earlier once its receiver is back. Null unless it is PENDING.',
  ),
  lastAttemptAt: NullableTimestamp('When it was last sent.'),
  lastStatusCode: statusCode,
  lastError: error,
  deliveredAt: NullableTimestamp('When it was delivered.'),
  createdAt: Timestamp('When what it tells of happened.'),
};

export const WebhookDelivery = Type.Object(fields, {
  title: 'WebhookDelivery',
  additionalProperties: false,
  description: 'What became of one event at one endpoint.',
});

const attemptFields = {
  at: Timestamp('When the answer was there, or the attempt given up.'),
  durationMs: Type.Integer({ minimum: 0 }),
  statusCode,
  error,
  answer: Type.Union([Type.String(), Type.Null()], {
    description: 'The first 4 kB of the answer; null where it had no body.',
  }),
};

const number = Type.Integer({
  minimum: 1,
  description: 'Counts from 1 again after each redelivery or replay.',
});

export const WebhookDeliveryInFull = Type.Object(
  {
    ...fields,
    attemptHistory: Type.Array(
      Type.Object(
        { number, ...attemptFields },
        { title: 'WebhookAttempt', additionalProperties: false },
      ),
      { description: 'The newest 50, newest first.' },
    ),
  },
  {
    title: 'WebhookDeliveryInFull',
    additionalProperties: false,
    description: 'A delivery with its newest attempts.',
  },
);

export const WebhookTest = Type.Object(
  {
    type: Type.Optional(
      Type.Unsafe<EventType>({
        type: 'string',
        enum: [...EVENT_TYPES],
        description: 'Of which a made-up event is sent; `ping` unless said.',
        examples: ['payment.completed'],
      }),
    ),
  },
  { title: 'WebhookTest', additionalProperties: false, description: 'What to send for a test.' },
);

export const WebhookTestResult = Type.Object(
  {
    eventId: Type.String({ description: 'The webhook-id that was sent. It is in no list.' }),
    type: Type.String(),
    delivered: Type.Boolean({
      description: 'Whether it was answered with a whole 2xx within 15 s.',
    }),
    ...attemptFields,
  },
  { title: 'WebhookTestResult', additionalProperties: false, description: 'What came of a test.' },
);

const Types = Type.Array(
  Type.Unsafe<string>({ type: 'string', enum: [...SUBSCRIPTIONS], examples: ['payment.*'] }),
  {
    minItems: 1,
    maxItems: SUBSCRIPTIONS.length,
    description: 'Types or families; all that the endpoint is subscribed to unless given.',
  },
);

export const NewWebhookReplay = Type.Object(
  {
    from: Type.String({
      ...{ format: 'date-time', examples: ['2026-09-29T00:00:00Z'] },
      description: 'The first moment that is meant; at most 90 days ago.',
    }),
    to: Type.String({
      ...{ format: 'date-time', examples: ['2026-09-30T00:00:00Z'] },
      description: 'The moment before which events are meant. It may lie in the future.',
    }),
    types: Type.Optional(Types),
    onlyFailed: Type.Optional(
      Type.Boolean({
        description: 'Only what has been sent without success. False unless said.',
        examples: [false],
      }),
    ),
  },
  {
    title: 'NewWebhookReplay',
    additionalProperties: false,
    description: 'Events to send again, under their ids.',
    examples: [{ from: '2026-09-29T00:00:00Z', to: '2026-09-30T00:00:00Z', onlyFailed: true }],
  },
);

export const WebhookReplay = Type.Object(
  {
    id: Type.String({ examples: ['whr_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    webhookEndpointId: Type.String(),
    reason: Type.Enum(['REQUESTED', 'MISSED'] as const, {
      type: 'string',
      description: 'MISSED: the endpoint was enabled again, and is sent what it had missed.',
    }),
    status: Type.Enum(['RUNNING', 'COMPLETED'] as const, {
      type: 'string',
      description: 'COMPLETED once every event that is meant is queued for the endpoint.',
    }),
    from: NullableTimestamp('Null for MISSED.'),
    to: NullableTimestamp('Null for MISSED.'),
    types: Type.Array(Type.String(), {
      description: 'The types that are meant; `*`: all that the endpoint is subscribed to.',
    }),
    onlyFailed: Type.Boolean(),
    queued: Type.Integer({ minimum: 0, description: 'Events queued so far.' }),
    createdAt: Timestamp('When it was asked for.'),
    completedAt: NullableTimestamp('When the last event was queued.'),
  },
  { title: 'WebhookReplay', additionalProperties: false, description: 'Events sent again.' },
);

export const Redelivery = Type.Object(
  {
    webhookEndpointId: Type.Optional(
      Type.String({
        description: 'The only endpoint to send it to; all that subscribe to it unless given.',
      }),
    ),
  },
  {
    title: 'Redelivery',
    additionalProperties: false,
    description: 'Where to send an event again.',
  },
);

export const RedeliveryResult = Type.Object(
  {
    eventId: Type.String(),
    webhookEndpointIds: Type.Array(Type.String(), {
      description: 'The endpoints that it is sent to now.',
    }),
  },
  {
    title: 'RedeliveryResult',
    additionalProperties: false,
    description: 'Where it is sent again.',
  },
);
