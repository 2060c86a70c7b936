import type { Static } from 'typebox';
import type {
  NewWebhookReplay,
  RedeliveryResult,
  WebhookDelivery,
  WebhookDeliveryInFull,
  WebhookReplay,
  WebhookTestResult,
} from '../schemas/webhook-delivery.ts';
import type {
  NewWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointInFull,
} from '../schemas/webhook-endpoint.ts';
import type { WebhookKeys } from '../schemas/webhook-key.ts';
import { renderEnvelope } from '../../domain/webhooks/events/envelope.ts';
import { sampleEvent } from '../../modules/webhooks/samples/sample-event.ts';
import { exampleId, exampleTime, onlyPage, type ExampleTable } from './operation-example.ts';

const ORDER = {
  url: 'https://hooks.example.com/causeway',
  types: ['payment.*'],
  asymmetric: true,
} as const satisfies Pick<Static<typeof NewWebhookEndpoint>, 'url' | 'asymmetric'> & {
  readonly types: readonly string[];
};

const PUBLIC_KEY = 'whpk_ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c/g=';
const SECRET = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';

const ENABLED: Static<typeof WebhookEndpoint> = {
  id: exampleId('whe'),
  url: ORDER.url,
  types: [...ORDER.types],
  description: null,
  thin: false,
  asymmetric: true,
  publicKeys: [{ publicKey: PUBLIC_KEY, expiresAt: null }],
  status: 'ENABLED',
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  version: 1,
  createdAt: exampleTime('12:00:30'),
  updatedAt: exampleTime('12:00:30'),
};

const IN_FULL: Static<typeof WebhookEndpointInFull> = {
  ...ENABLED,
  health: { lastSuccessAt: exampleTime('12:15:10'), backlog: 0, medianDelayMs: 180 },
};

const PATCH = { types: ['payment.*', 'kyc.approved'], description: 'Payment updates' };

const LATER = { version: 2, updatedAt: exampleTime('12:35:00') };

const DELIVERED: Static<typeof WebhookDelivery> = {
  eventId: exampleId('evt'),
  type: 'payment.completed',
  resource: { type: 'payment', id: exampleId('pay'), version: 3 },
  status: 'DELIVERED',
  attempts: 1,
  nextAttemptAt: null,
  lastAttemptAt: exampleTime('12:15:10'),
  lastStatusCode: 204,
  lastError: null,
  deliveredAt: exampleTime('12:15:10'),
  createdAt: exampleTime('12:15:09'),
};

const ATTEMPT = {
  ...{ at: exampleTime('12:15:10'), durationMs: 120 },
  ...{ statusCode: 204, error: null, answer: null },
} as const;

const DELIVERED_IN_FULL: Static<typeof WebhookDeliveryInFull> = {
  ...DELIVERED,
  attemptHistory: [{ number: 1, ...ATTEMPT }],
};

const TESTED: Static<typeof WebhookTestResult> = {
  eventId: 'evt_01k6b7q0e9f1htx9n3r5p7v2ab',
  type: 'payment.completed',
  delivered: true,
  ...ATTEMPT,
};

const REPLAY = {
  from: '2026-09-29T00:00:00.000Z',
  to: '2026-09-30T00:00:00.000Z',
  onlyFailed: true,
} as const satisfies Static<typeof NewWebhookReplay>;

const RUNNING: Static<typeof WebhookReplay> = {
  ...REPLAY,
  id: exampleId('whr'),
  webhookEndpointId: exampleId('whe'),
  reason: 'REQUESTED',
  status: 'RUNNING',
  types: ['*'],
  queued: 0,
  createdAt: '2026-09-30T08:00:00.000Z',
  completedAt: null,
};

const COMPLETED: Static<typeof WebhookReplay> = {
  ...RUNNING,
  status: 'COMPLETED',
  queued: 12,
  completedAt: '2026-09-30T08:00:01.000Z',
};

const REDELIVERED: Static<typeof RedeliveryResult> = {
  eventId: exampleId('evt'),
  webhookEndpointIds: [exampleId('whe')],
};

const KEYS: Static<typeof WebhookKeys> = {
  keys: [
    {
      ...{ kty: 'OKP', crv: 'Ed25519', x: 'ZlN4eg7dSSqi0moX9hQUk3orrOouK3QVQSlJa248c_g' },
      kid: 'm2BvHuzpi2b3DWNU2aiClMcnfpnTmnJtzNM7MplBIws',
      ...{ use: 'sig', alg: 'EdDSA', publicKey: PUBLIC_KEY, expiresAt: null },
    },
  ],
};

const COMPLETED_AT = new Date(exampleTime('12:15:09'));

/** What POST /webhook-endpoints/{id}/test sends of the type. */
const EVENT = JSON.parse(
  renderEnvelope(sampleEvent('payment.completed', COMPLETED_AT), {
    ...{ id: exampleId('evt'), at: COMPLETED_AT, environment: 'test' },
  }),
) as object;

export const WEBHOOK_EXAMPLES: ExampleTable = {
  createWebhookEndpoint: {
    payments: {
      summary: 'What becomes of payments',
      request: ORDER,
      status: 201,
      answer: { ...ENABLED, secret: SECRET },
    },
  },
  listWebhookEndpoints: {
    page: { summary: 'One endpoint', status: 200, answer: onlyPage(ENABLED) },
  },
  getWebhookEndpoint: { healthy: { summary: 'It is well', status: 200, answer: IN_FULL } },
  updateWebhookEndpoint: {
    types: {
      summary: 'More events, and a description',
      request: PATCH,
      status: 200,
      answer: { ...ENABLED, ...PATCH, ...LATER },
    },
  },
  deleteWebhookEndpoint: { deleted: { summary: 'Deleted', status: 204 } },
  rotateWebhookSecret: {
    overlap: {
      summary: 'Both secrets sign for a day',
      request: { overlapHours: 24 },
      status: 200,
      answer: {
        ...{ ...ENABLED, ...LATER, secret: SECRET },
        previousSecretExpiresAt: '2026-09-30T12:35:00.000Z',
      },
    },
  },
  testWebhookEndpoint: {
    answered: {
      summary: 'The receiver answered',
      request: { type: 'payment.completed' },
      status: 200,
      answer: TESTED,
    },
  },
  listWebhookDeliveries: {
    page: { summary: 'One delivery', status: 200, answer: onlyPage(DELIVERED) },
  },
  getWebhookDelivery: {
    delivered: { summary: 'Delivered at once', status: 200, answer: DELIVERED_IN_FULL },
  },
  replayWebhooks: {
    failed: { summary: 'What failed on a day', request: REPLAY, status: 201, answer: RUNNING },
  },
  listWebhookReplays: { page: { summary: 'One replay', status: 200, answer: onlyPage(COMPLETED) } },
  getWebhookReplay: { completed: { summary: 'All is queued', status: 200, answer: COMPLETED } },
  getWebhookKeys: { one: { summary: 'One key is in force', status: 200, answer: KEYS } },
  listEvents: { page: { summary: 'A payment completed', status: 200, answer: onlyPage(EVENT) } },
  getEvent: { completed: { summary: 'A payment completed', status: 200, answer: EVENT } },
  redeliverEvent: {
    one: {
      summary: 'To one endpoint',
      request: { webhookEndpointId: exampleId('whe') },
      status: 200,
      answer: REDELIVERED,
    },
  },
};
