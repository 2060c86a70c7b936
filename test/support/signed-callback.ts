import { signWebhook } from '../../src/vault/webhook-signatures/signature.ts';

/** The bank's callback request, signed over exactly `body`. */
export const signedCallback = (
  secret: string,
  message: { readonly id: string; readonly timestampSeconds: number; readonly body: string },
) => ({
  method: 'POST' as const,
  url: '/api/v1/rails/http-bank/callbacks',
  headers: {
    'content-type': 'application/json',
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestampSeconds),
    'webhook-signature': signWebhook(secret, message),
  },
});
