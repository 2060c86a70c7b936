import { endInvitations } from '../../../db/customers/invitation-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { changeUser, countUsers, listOwnersToCome } from '../../../db/customers/user-store.ts';
import { findCustomerName } from '../../../db/customers/customer-store.ts';
import { listOwners } from '../../../db/customers/owner-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Actor } from '../../../domain/actor.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import type { PersonData } from './add-person.ts';
import { inviteUser, type UserDeps } from './users.ts';

type OwnerInvited =
  | { readonly mailId: string }
  | { readonly refusal: 'HAS_AN_OWNER' | 'ADDRESS_IS_TAKEN' | 'TOO_MANY_USERS' };

/**
 * Invites the first owner of a customer that has none who can log in: one from before there were users, or one
 * that was taken on by hand. Another owner who was invited and has not come is withdrawn: their address was wrong,
 * or their link is lost. Of two at once one is invited.
 */
export async function inviteOwner(
  deps: UserDeps,
  tx: SystemTransaction,
  order: { readonly customerId: string; readonly actor: Actor; readonly reason: string },
  owner: PersonData,
): Promise<OwnerInvited> {
  const { customerId, actor, reason } = order;
  const customer = { id: customerId, name: requireFound(await findCustomerName(tx, customerId)) };
  // The lock of those who add users to it.
  await countUsers(tx, customerId);
  if ((await listOwners(tx, customerId)).length > 0) return { refusal: 'HAS_AN_OWNER' };
  const before = await listOwnersToCome(tx, customerId);
  const act = { customer, actor, reason };
  const invited = await inviteUser(deps, tx, act, { ...owner, role: 'OWNER' });
  if ('refusal' in invited) return invited;
  for (const userId of before) {
    const at = deps.clock.now();
    await endInvitations(tx, userId, at);
    await changeUser(tx, userId, { role: 'OWNER', status: 'DISABLED' });
    await recordAudit(tx, {
      ...{ at, actor, action: 'user.invitation_withdrawn', subject: userId },
      ...{ scope: { customerId, environment: null }, details: { role: 'OWNER', reason } },
    });
  }
  return invited;
}
