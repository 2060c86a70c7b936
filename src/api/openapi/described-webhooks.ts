import { renderEnvelope, thinEnvelope } from '../../domain/webhooks/events/envelope.ts';
import { EVENT_TYPES, type EventType } from '../../domain/webhooks/event-types.ts';
import { sampleId } from '../../modules/webhooks/samples/sample-ids.ts';
import { sampleEvent } from '../../modules/webhooks/samples/sample-event.ts';
import { EVENT_SCHEMAS, eventSchemaTitle, ThinEvent } from '../schemas/events/event-schemas.ts';
import { EVENT_TEXTS } from '../schemas/events/event-texts.ts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: 'string' as const, examples: [example] },
});

/** The headers of every webhook, for the document's `components.parameters`. */
export const WEBHOOK_HEADERS = {
  WebhookId: header('webhook-id', 'The id of the event.', 'evt_01k6b7q0e8f1htx9n3r5p7v2ab'),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'The time of this attempt, in Unix seconds.',
    '1795236596',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'One or more signatures `v1,<base64>`: HMAC-SHA256 over `id.timestamp.body`. Webhooks of an `asymmetric` endpoint also have signatures `v1a,<base64>`: Ed25519 over the same text.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

const HOW = [
  'Verify the signature over the raw bytes of the body, and answer with 2xx within 15 seconds.',
  'The same event may arrive more than once, with the same `webhook-id`: ignore duplicates.',
].join(' ');

/** The moment of the document's examples. */
const SAMPLED_AT = new Date('2026-09-29T12:00:00.000Z');

const examples = new Map<EventType, ReturnType<typeof renderExamples>>();

/** What `POST /webhook-endpoints/{id}/test` sends of a type, at a moment that stays. Rendered once a process. */
function examplesOf(type: EventType) {
  const rendered = examples.get(type) ?? renderExamples(type);
  examples.set(type, rendered);
  return rendered;
}

function renderExamples(type: EventType) {
  const stamp = { id: sampleId('evt'), at: SAMPLED_AT, environment: 'test' } as const;
  const full = renderEnvelope(sampleEvent(type, SAMPLED_AT), stamp);
  return {
    full: { summary: 'A complete event.', value: JSON.parse(full) as object },
    thin: {
      summary: 'An event for a thin endpoint.',
      value: JSON.parse(thinEnvelope(full)) as object,
    },
  };
}

const describedWebhook = (type: EventType) => ({
  post: {
    operationId: `receive${eventSchemaTitle(type)}`,
    summary: EVENT_TEXTS[type],
    description: HOW,
    tags: ['Webhooks'],
    security: [],
    parameters: Object.keys(WEBHOOK_HEADERS).map((name) => {
      return { $ref: `#/components/parameters/${name}` };
    }),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { anyOf: [EVENT_SCHEMAS[type], ThinEvent] },
          examples: examplesOf(type),
        },
      },
    },
    responses: {
      '2XX': { description: 'The event was received.' },
      '410': { description: 'The endpoint no longer accepts events. The service disables it.' },
      default: {
        description: 'The attempt failed. The event is sent up to ten times over about three days.',
      },
    },
  },
});

/**
 * What Causeway sends to a partner's endpoint, for the document's `webhooks`: Standard Webhooks 1.0, by
 * the type of the event.
 */
export const describeWebhooks = () =>
  Object.fromEntries(EVENT_TYPES.map((type) => [type, describedWebhook(type)]));
