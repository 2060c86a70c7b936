import { signWebhook, type WebhookMessage } from './signature.ts';

const USER_AGENT = 'Causeway-Webhooks/1';

/** The headers of one webhook, with a signature for each secret. Standard Webhooks 1.0. */
export function webhookHeaders(
  secrets: readonly string[],
  message: WebhookMessage,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': USER_AGENT,
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': secrets.map((secret) => signWebhook(secret, message)).join(' '),
  };
}
