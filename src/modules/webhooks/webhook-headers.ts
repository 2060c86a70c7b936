import { signWebhook, type WebhookMessage } from '../../vault/webhook-signatures/signature.ts';

const USER_AGENT = 'Causeway-Webhooks/1';

/** The headers of one webhook, with a signature for each key, in their order. Standard Webhooks 1.0. */
export function webhookHeaders(
  keys: readonly string[],
  message: WebhookMessage,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': keys.map((key) => signWebhook(key, message)).join(' '),
  };
}
