import { lockApiKey } from '../../db/customers/api-key-list-store.ts';
import { revokeApiKey as writeRevocation } from '../../db/customers/api-key-write-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import type { AnyTransaction } from '../../db/client/database.ts';
import type { Actor } from '../../domain/actor.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import type { Scope } from '../../domain/scope.ts';
import { mailAboutKey, type KeyDeps } from './key-mails.ts';

/**
 * Revokes a key: from the commit on every process refuses it, for each looks its keys up at each request.
 * Answers the mails to the owners; none where it was revoked before. Throws Refusal (404) for a key that
 * the scope does not have.
 */
export async function revokeApiKey(
  deps: KeyDeps,
  tx: AnyTransaction,
  scope: Scope,
  { keyId, by }: { readonly keyId: string; readonly by: Actor },
): Promise<readonly string[]> {
  const key = await lockApiKey(tx, scope, keyId);
  if (key === null) throw new Refusal('not_found', 'There is no such API key.');
  const at = deps.clock.now();
  if (key.revokedAt !== null && key.revokedAt <= at) return [];
  await writeRevocation(tx, scope, key.id, at);
  await recordAudit(tx, {
    ...{ at, actor: by, action: 'api_key.revoked', scope, subject: key.id },
    details: { name: key.name },
  });
  return mailAboutKey(deps, tx, scope, { kind: 'KEY_REVOKED', key, more: {} });
}
