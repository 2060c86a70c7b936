import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../domain/errors/refusal.ts';
import { ENVIRONMENTS } from '../domain/scope.ts';
import type { Environment } from '../domain/scope.ts';
import { verifyWebhook } from '../vault/webhook-signatures/signature.ts';

interface SignedCallback {
  readonly headers: IncomingHttpHeaders;
  /** The body's bytes as they arrived. */
  readonly rawBody: Uint8Array;
}

/** Which environment's bank or provider has signed, and the message's id. Refuses with invalid_signature. */
export function signedEnvironment(
  callback: SignedCallback,
  secrets: Readonly<Partial<Record<Environment, string>>>,
  now: Date,
): { readonly environment: Environment; readonly reportId: string } {
  for (const environment of ENVIRONMENTS) {
    const secret = secrets[environment];
    if (secret === undefined) continue;
    const verdict = verifyWebhook([secret], callback.headers, callback.rawBody, now);
    if (verdict.ok) return { environment, reportId: verdict.id };
  }
  throw new Refusal('invalid_signature', 'The signature of the callback is not valid.');
}
