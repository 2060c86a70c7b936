import { randomBytes } from 'node:crypto';
import type { ScopedTransaction } from '../../db/client/database.ts';
import { recordEvent } from '../../db/webhooks/event-store.ts';
import { updateEndpoint } from '../../db/webhooks/webhook-endpoint-change-store.ts';
import { lockEndpoint } from '../../db/webhooks/webhook-endpoint-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { requireFound } from '../../domain/errors/require-found.ts';
import type { RequireVersion } from '../../domain/require-version.ts';
import type { Scope } from '../../domain/scope.ts';
import type { Vault } from '../../vault/vault.ts';
import { rotatedKeyPairs } from './endpoint-keys.ts';
import { sealRotatedSecret } from './endpoint-secret.ts';
import { newWebhookSecret } from '../../vault/webhook-signatures/signature.ts';
import { endpointChangedEvent, renderWebhookEndpoint } from './webhook-endpoint-view.ts';

const HOUR_MS = 3_600_000;

interface SecretRotation {
  readonly id: string;
  /** For how long the secret before signs too; 0: not at all. */
  readonly overlapHours: number;
  readonly requireVersion: RequireVersion;
}

/**
 * Gives an endpoint a new secret, which is answered this once. The one before signs beside it for the
 * overlap; the one before that ends at once. Where it has a key pair, that is replaced in the same way.
 * Refuses with not_found and precondition_failed.
 */
export async function rotateEndpointSecret(
  deps: { readonly vault: Vault; readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  { id, overlapHours, requireVersion }: SecretRotation,
) {
  const before = requireFound(await lockEndpoint(tx, scope, id));
  requireVersion(before.version);
  const at = deps.clock.now();
  const secret = newWebhookSecret(randomBytes);
  const previousSecretExpiresAt = new Date(at.getTime() + overlapHours * HOUR_MS);
  const rotation = { secret, until: previousSecretExpiresAt };
  const sealed = sealRotatedSecret(deps.vault, id, before.secret, rotation);
  const keyPairs = rotatedKeyPairs(deps.vault, before, previousSecretExpiresAt);
  const change = { ...before, secret: sealed, ...keyPairs };
  const row = await updateEndpoint(tx, scope, id, change, at);
  await recordEvent(tx, scope, endpointChangedEvent(row, before), at);
  return {
    ...renderWebhookEndpoint(row, at),
    secret,
    previousSecretExpiresAt: previousSecretExpiresAt.toISOString(),
  };
}
