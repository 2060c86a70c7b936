import { Type } from 'typebox';
import { ATTEMPT_FAILURES } from '../../domain/webhooks/attempt.ts';
import { EVENT_TYPES, SUBSCRIPTIONS, type EventType } from '../../domain/webhooks/event-types.ts';
import { NullableTimestamp, Timestamp } from './common.ts';

export const DeliveryStatus = Type.Enum(['PENDING', 'DELIVERED', 'EXHAUSTED'] as const, {
  title: 'WebhookDeliveryStatus',
  type: 'string',
  description:
    'The status of the delivery. PENDING: the delivery waits for an attempt. DELIVERED: the endpoint returned a complete 2xx response within 15 seconds. EXHAUSTED: all attempts failed.',
  examples: ['DELIVERED'],
});

const statusCode = Type.Union([Type.Integer(), Type.Null()], {
  description: 'The HTTP status of the response. Null if there was no response.',
});
const error = Type.Union([Type.String(), Type.Null()], {
  description: `The reason for the failure. One of ${['STATUS', 'REDIRECT', ...ATTEMPT_FAILURES].join(', ')}. More values may be added. Null if the attempt succeeded.`,
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
    description: 'The number of attempts. It restarts at 1 after each redelivery or replay.',
  }),
  nextAttemptAt: NullableTimestamp(
    'The time of the next attempt. The attempt may happen earlier if the receiver recovers, and waits while the endpoint is disabled. Null unless the delivery is PENDING.',
  ),
  lastAttemptAt: NullableTimestamp('The time of the last attempt.'),
  lastStatusCode: statusCode,
  lastError: error,
  deliveredAt: NullableTimestamp('The time at which the event was delivered.'),
  createdAt: Timestamp('The time at which the event happened.'),
};

export const WebhookDelivery = Type.Object(fields, {
  title: 'WebhookDelivery',
  additionalProperties: false,
  description: 'The delivery of an event to an endpoint.',
});

const attemptFields = {
  at: Timestamp('The time at which the response arrived or the attempt was abandoned.'),
  durationMs: Type.Integer({ minimum: 0 }),
  statusCode,
  error,
  answer: Type.Union([Type.String(), Type.Null()], {
    description: 'The first 4 kB of the response body. Null if the response had no body.',
  }),
};

const number = Type.Integer({
  minimum: 1,
  description: 'The number of attempts. It restarts at 1 after each redelivery or replay.',
});

export const WebhookDeliveryInFull = Type.Object(
  {
    ...fields,
    attemptHistory: Type.Array(
      Type.Object(
        { number, ...attemptFields },
        { title: 'WebhookAttempt', additionalProperties: false },
      ),
      { description: 'The newest 50 attempts, newest first.' },
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
        description: 'The type of the sample event to send. Default: `ping`.',
        examples: ['payment.completed'],
      }),
    ),
  },
  { title: 'WebhookTest', additionalProperties: false, description: 'The options of a test.' },
);

export const WebhookTestResult = Type.Object(
  {
    eventId: Type.String({
      description: 'The `webhook-id` of the test. The event appears in no list.',
    }),
    type: Type.String(),
    delivered: Type.Boolean({
      description: 'Whether the endpoint returned a complete 2xx response within 15 seconds.',
    }),
    ...attemptFields,
  },
  { title: 'WebhookTestResult', additionalProperties: false, description: 'The result of a test.' },
);

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
    description:
      'The event types or families to send. Default: all types that the endpoint subscribes to.',
  },
);

export const NewWebhookReplay = Type.Object(
  {
    from: Type.String({
      ...{ format: 'date-time', examples: ['2026-09-29T00:00:00Z'] },
      description: 'The start of the time span (inclusive), at most 90 days ago.',
    }),
    to: Type.String({
      ...{ format: 'date-time', examples: ['2026-09-30T00:00:00Z'] },
      description: 'The end of the time span (exclusive). It may be in the future.',
    }),
    types: Type.Optional(Types),
    onlyFailed: Type.Optional(
      Type.Boolean({
        description: 'Whether to send only events whose delivery failed. Default: false.',
        examples: [false],
      }),
    ),
  },
  {
    title: 'NewWebhookReplay',
    additionalProperties: false,
    description: 'The events to send again, with the same ids.',
    examples: [{ from: '2026-09-29T00:00:00Z', to: '2026-09-30T00:00:00Z', onlyFailed: true }],
  },
);

export const WebhookReplay = Type.Object(
  {
    id: Type.String({ examples: ['whr_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    webhookEndpointId: Type.String(),
    reason: Type.Enum(['REQUESTED', 'MISSED'] as const, {
      type: 'string',
      description:
        'The reason for the replay. MISSED: the endpoint was enabled again and receives the events that it missed.',
    }),
    status: Type.Enum(['RUNNING', 'COMPLETED'] as const, {
      type: 'string',
      description:
        'The status of the replay. COMPLETED: every matching event is queued for the endpoint.',
    }),
    from: NullableTimestamp('The start or end of the time span. Null if `reason` is MISSED.'),
    to: NullableTimestamp('The start or end of the time span. Null if `reason` is MISSED.'),
    types: Type.Array(Type.String(), {
      description:
        'The event types of the replay. `*` stands for all types that the endpoint subscribes to.',
    }),
    onlyFailed: Type.Boolean(),
    queued: Type.Integer({ minimum: 0, description: 'The number of events queued so far.' }),
    createdAt: Timestamp('The time of the request.'),
    completedAt: NullableTimestamp('The time at which the last event was queued.'),
  },
  {
    title: 'WebhookReplay',
    additionalProperties: false,
    description: 'A replay: events that are sent again.',
  },
);

export const Redelivery = Type.Object(
  {
    webhookEndpointId: Type.Optional(
      Type.String({
        description:
          'The id of the endpoint to send the event to. Default: all endpoints that subscribe to the event.',
      }),
    ),
  },
  {
    title: 'Redelivery',
    additionalProperties: false,
    description: 'The options of a redelivery.',
  },
);

export const RedeliveryResult = Type.Object(
  {
    eventId: Type.String(),
    webhookEndpointIds: Type.Array(Type.String(), {
      description: 'The ids of the endpoints that receive the event.',
    }),
  },
  {
    title: 'RedeliveryResult',
    additionalProperties: false,
    description: 'The result of a redelivery.',
  },
);
