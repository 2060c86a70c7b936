import { createHash } from 'node:crypto';
import { keysInForce, type WebhookPublicKey } from '../../domain/webhooks/public-key.ts';
import { readPublicKey } from '../../vault/webhook-signatures/ed25519-public-key.ts';

/** An endpoint's public keys as receivers fetch them: a JWK Set (RFC 7517) of Ed25519 keys (RFC 8037). */
export function renderPublicKeys(keys: readonly WebhookPublicKey[], now: Date) {
  return { keys: keysInForce(keys, now).map(renderPublicKey) };
}

function renderPublicKey({ publicKey, expiresAt }: WebhookPublicKey) {
  const x = readPublicKey(publicKey).toString('base64url');
  const named = { kty: 'OKP' as const, crv: 'Ed25519' as const, x };
  const rest = { use: 'sig' as const, alg: 'EdDSA' as const, publicKey, expiresAt };
  return { ...named, kid: thumbprint(x), ...rest };
}

/** RFC 7638, of the members that RFC 8037 section 2 names. */
function thumbprint(x: string): string {
  const members = `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`;
  return createHash('sha256').update(members).digest('base64url');
}
