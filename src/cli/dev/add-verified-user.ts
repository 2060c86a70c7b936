import {
  addUser,
  type PersonData,
  type PersonDeps,
} from '../../modules/customers/access/add-person.ts';
import { acceptInvitation, writeInvitation } from '../../modules/customers/access/invitations.ts';
import type { SystemTransaction } from '../../db/client/database.ts';
import type { UserRole } from '../../domain/customers/access/user-rights.ts';

/**
 * Takes on a user of the local run who may log in at once, by a link that is used in the same transaction: the
 * database makes no one ACTIVE without one. Answers the id; null where the customer has a user of that address.
 */
export async function addVerifiedUser(
  deps: PersonDeps,
  tx: SystemTransaction,
  user: PersonData & { readonly customerId: string; readonly role: UserRole },
): Promise<string | null> {
  const { customerId } = user;
  const userId = await addUser(deps, tx, { ...user, status: 'INVITED' });
  if (userId === null) return null;
  const { token } = await writeInvitation(deps, tx, { customerId, userId });
  await acceptInvitation(deps, tx, token);
  return userId;
}
