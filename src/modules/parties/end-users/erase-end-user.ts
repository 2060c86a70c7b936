import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import {
  findEndUser,
  lockEndUser,
  updateErasedEndUser,
  type EndUserRow,
} from '../../../db/parties/end-user-store.ts';
import {
  blankEndUser,
  blankOwnAnswers,
  blankScreeningCases,
} from '../../../db/parties/erasure-blank-store.ts';
import { destroyOwnerKey, readErasureFacts } from '../../../db/parties/erasure-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { disableErasedAddresses } from '../deposit-addresses/disable-deposit-address.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import type { RequireVersion } from '../../../domain/require-version.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { Vault } from '../../../vault/vault.ts';
import { endUserEvent } from './end-user-view.ts';
import { judgeErasure } from './judge-erasure.ts';
import { refuseOwnEntity } from './refuse-own-entity.ts';

interface EraseDeps {
  readonly vault: Vault;
  readonly clock: Clock;
  /** How long data of a closed end-user is kept, in milliseconds. */
  readonly retentionMs: number;
}

interface EraseOrder {
  readonly endUserId: string;
  readonly actor: Actor;
  /** Any version will do where it is left out. */
  readonly requireVersion?: RequireVersion;
}

/**
 * Makes everything that is sealed for a closed end-user unreadable, for good: their key is destroyed in
 * this transaction. Ids, amounts, ledger and history stay. Who was erased before is answered as they are.
 * Refuses with not_found, operators_only, precondition_failed and end_user_not_erasable. Nothing can be written under the destroyed key
 * meanwhile: whatever writes wants an ACTIVE end-user, and holds their row.
 */
export async function eraseEndUser(
  deps: EraseDeps,
  tx: ScopedTransaction,
  scope: Scope,
  { endUserId, actor, requireVersion }: EraseOrder,
): Promise<EndUserRow> {
  requireFound(await lockEndUser(tx, scope, endUserId));
  // Anew: who waited for the lock has read the key as it was before.
  const endUser = requireFound(await findEndUser(tx, scope, endUserId));
  refuseOwnEntity(endUser);
  const at = deps.clock.now();
  if (endUser.erasedAt !== null) return endUser;
  requireVersion?.(endUser.version);
  const facts = await readErasureFacts(tx, scope, endUserId);
  const problems = judgeErasure({ ...endUser, ...facts }, deps.retentionMs, at);
  if (problems.length > 0) {
    throw new Refusal('end_user_not_erasable', 'The end-user cannot be erased now.', problems);
  }
  await destroyOwnerKey(tx, scope, endUserId, at);
  await blankEndUser(tx, scope, endUserId, at);
  await disableErasedAddresses(tx, scope, endUserId, at);
  await blankScreeningCases(tx, scope, endUserId);
  if (endUser.ownerKey === null) await blankOwnAnswers(tx, scope, endUserId);
  const erased = await updateErasedEndUser(tx, scope, endUser, at);
  await recordEvent(tx, scope, endUserEvent('end_user.updated', erased, endUser), at);
  await recordAudit(tx, {
    at,
    actor,
    action: 'end_user.erase',
    scope,
    subject: endUserId,
    details: {},
  });
  return erased;
}
