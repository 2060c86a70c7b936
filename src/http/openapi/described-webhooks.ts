import { EVENT_TYPES } from '../../domain/webhooks/event-types.ts';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' as const, examples: [example] },
});

/**
 * What Causeway sends to a partner's endpoint, for the document's `webhooks`: Standard Webhooks 1.0,
 * one shape for every type of event.
 */
export const WEBHOOKS = {
  event: {
    post: {
      operationId: 'receiveEvent',
      summary: 'An event, sent to your endpoints',
      description: [
        'Verify the signature over the bytes as they came, answer 2xx within 15 seconds, and drop what',
        'you have seen: the same event may come again, with the same `webhook-id`.',
        `Types: ${EVENT_TYPES.map((type) => `\`${type}\``).join(', ')}. More may come.`,
      ].join(' '),
      tags: ['Webhooks'],
      security: [],
      parameters: [
        header('webhook-id', "The event's id.", 'evt_01k6b7q0e8f1htx9n3r5p7v2ab'),
        header('webhook-timestamp', 'When this attempt was sent: Unix seconds.', '1795236596'),
        header(
          'webhook-signature',
          'One or more of `v1,<base64>`: HMAC-SHA256 over `id.timestamp.body`. Of an `asymmetric` endpoint then `v1a,<base64>`: Ed25519 over the same.',
          'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        ),
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
      },
      responses: {
        '2XX': { description: 'Taken.' },
        '410': { description: 'The endpoint is disabled.' },
        default: { description: 'Sent again later: ten attempts in some three days.' },
      },
    },
  },
};
