import { findAccessRequest } from '../../../db/customers/access-request-store.ts';
import { findCustomerName } from '../../../db/customers/customer-store.ts';
import { lockUser } from '../../../db/customers/user-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import { inviteAgain, type UserDeps } from './users.ts';

/**
 * Sends the first owner of an approved request a new link; the last one is over. Null where the request
 * was not approved. Refuses with version_conflict where the owner has used the link, or was disabled. Answers the mail's id.
 */
export async function inviteFirstOwner(
  deps: UserDeps,
  tx: SystemTransaction,
  { requestId, operatorId }: { readonly requestId: string; readonly operatorId: string },
): Promise<string | null> {
  const { customerId, userId } = requireFound(await findAccessRequest(tx, requestId));
  if (customerId === null || userId === null) return null;
  const name = requireFound(await findCustomerName(tx, customerId));
  // The page of the request shows nothing of its user that could be stale: what it is now is what counts.
  const { version } = requireFound(await lockUser(tx, customerId, userId));
  return inviteAgain(deps, tx, {
    ...{ customer: { id: customerId, name }, userId, version },
    actor: { kind: 'OPERATOR', name: operatorId },
  });
}
