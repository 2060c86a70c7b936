import {
  createWebhookSigner,
  type WebhookMessage,
} from '../../vault/webhook-signatures/signature.ts';

const USER_AGENT = 'Causeway-Webhooks/1';

/** The headers of one webhook. */
export type WebhookHeaders = (message: WebhookMessage) => Record<string, string>;

/**
 * Makes the headers of webhooks, with a signature for each key, in their order. The keys are read once.
 * Standard Webhooks 1.0.
 */
export function createWebhookHeaders(keys: readonly string[]): WebhookHeaders {
  const signers = keys.map(createWebhookSigner);
  return (message) => ({
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': signers.map((sign) => sign(message)).join(' '),
  });
}
