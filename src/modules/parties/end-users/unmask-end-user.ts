import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { findEndUser } from '../../../db/parties/end-user-store.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import type { Scope } from '../../../domain/scope.ts';
import { isErased } from '../../../vault/owner-key.ts';
import type { Vault } from '../../../vault/vault.ts';
import { endUserOwner, endUserRow, type EndUserPersonal } from './end-user-personal.ts';

/**
 * All that is personal of an end-user, for a user who may see it; the look is written down with who took it.
 * Null: they were erased. Refuses with not_found.
 */
export async function unmaskEndUser(
  { vault, clock }: { readonly vault: Vault; readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  { endUserId, actor }: { readonly endUserId: string; readonly actor: Actor },
): Promise<EndUserPersonal | null> {
  const row = requireFound(await findEndUser(tx, scope, endUserId));
  const [at, action] = [clock.now(), 'end_user.unmask'];
  await recordAudit(tx, { at, actor, action, scope, subject: row.id, details: {} });
  if (isErased(row)) return null;
  return vault.of(endUserOwner(row)).openJson<EndUserPersonal>(row.personal, endUserRow(row.id));
}
