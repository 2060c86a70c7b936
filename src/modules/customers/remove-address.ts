import { recordAudit } from '../../db/operations/audit-store.ts';
import type { AnyTransaction } from '../../db/client/database.ts';
import {
  lockKeyAddress,
  removeKeyAddress,
  type KeyAddressRow,
} from '../../db/customers/key-address-store.ts';
import { actorText, type Actor } from '../../domain/actor.ts';
import type { Clock } from '../../domain/clock.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import type { Scope } from '../../domain/scope.ts';

/**
 * Takes a range off a key's list, or a proposal back: one person, at once. From the commit on every process
 * refuses the key from there. Answers it as it was. Throws Refusal: 404 where the key has no such entry,
 * 409 where it was taken off or rejected before.
 */
export async function removeAddress(
  { clock }: { readonly clock: Clock },
  tx: AnyTransaction,
  scope: Scope,
  entry: { readonly apiKeyId: string; readonly id: string; readonly by: Actor },
): Promise<KeyAddressRow> {
  const address = await lockKeyAddress(tx, scope, entry);
  if (address === null) throw new Refusal('not_found', 'The key has no such address.');
  if (address.status === 'REMOVED' || address.status === 'REJECTED') {
    throw new Refusal(
      'version_conflict',
      `${address.range} is not on the list of this key any more.`,
    );
  }
  const at = clock.now();
  await removeKeyAddress(tx, scope, { id: address.id, removedBy: actorText(entry.by), at });
  await recordAudit(tx, {
    ...{ at, actor: entry.by, action: 'key_address.removed', scope, subject: address.id },
    details: { apiKeyId: address.apiKeyId, range: address.range, was: address.status },
  });
  return address;
}
