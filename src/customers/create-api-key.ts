import { recordAudit } from '../db/audit-store.ts';
import { countActiveKeys, insertApiKey } from '../db/customer-store.ts';
import type { Database } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { actorText, type Actor } from '../domain/actor.ts';
import { ALL_PERMISSIONS, isKeyScope } from '../domain/keys/permissions.ts';
import type { KeyScope } from '../domain/keys/permissions.ts';
import type { Clock } from '../domain/clock.ts';
import { buildApiKeyToken } from './api-key-token.ts';
import type { Scope } from '../domain/scope.ts';
import type { Vault } from '../vault/vault.ts';

/** Keys that may work at the same time in one environment. */
const ACTIVE_KEYS_MAX = 10;

export interface KeyOrder {
  readonly name: string;
  readonly random: { readonly publicId: Uint8Array; readonly secret: Uint8Array };
  /** What the key may do; everything where it is left out. */
  readonly scopes?: readonly KeyScope[];
  /** CIDR ranges the key may be used from. Without any, a test key works from everywhere. */
  readonly approvedRanges: readonly string[];
  readonly approvedBy: Actor;
}

/**
 * Creates an API key and answers its token, which cannot be read again: only an HMAC of it is kept.
 * Throws RangeError where ten keys work already, a live key has no address, or a scope is none of ours.
 */
export async function createApiKey(
  deps: { readonly db: Database; readonly vault: Vault; readonly clock: Clock },
  scope: Scope,
  order: KeyOrder,
): Promise<string> {
  if (scope.environment === 'live' && order.approvedRanges.length === 0) {
    throw new RangeError('a live key needs at least one approved address range');
  }
  const scopes = [...new Set(order.scopes ?? [ALL_PERMISSIONS])];
  const unknown = scopes.find((one) => !isKeyScope(one));
  if (unknown !== undefined) throw new RangeError(`there is no scope ${unknown}`);
  if (scopes.length === 0) throw new RangeError('a key needs at least one scope');
  const token = buildApiKeyToken(scope.environment, order.random);
  const now = deps.clock.now();
  const keyId = newId('key');
  await deps.db.system(async (tx) => {
    if ((await countActiveKeys(tx, scope, now)) >= ACTIVE_KEYS_MAX) {
      throw new RangeError(`${String(ACTIVE_KEYS_MAX)} keys work already in this environment`);
    }
    await insertApiKey(
      tx,
      scope,
      {
        id: keyId,
        publicId: token.publicId,
        name: order.name,
        tokenHmac: deps.vault.keyedHash('api-key', token.token),
        last4: token.last4,
        scopes,
        isOpenToAnyAddress: order.approvedRanges.length === 0,
        approvedRanges: order.approvedRanges,
        approvedBy: actorText(order.approvedBy),
      },
      now,
    );
    await recordAudit(tx, {
      at: now,
      actor: order.approvedBy,
      action: 'api_key.created',
      scope,
      subject: keyId,
      details: { name: order.name, scopes, approvedRanges: order.approvedRanges },
    });
  });
  return token.token;
}
