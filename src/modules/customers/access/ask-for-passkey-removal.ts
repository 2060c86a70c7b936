import { proposeApproval } from '../../approvals/propose-approval.ts';
import { withinTransaction } from '../../approvals/within-transaction.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { countPasskeys } from '../../../db/customers/passkey-store.ts';
import { lockUser } from '../../../db/customers/user-store.ts';
import type { User } from '../../../domain/customers/access/person.ts';
import type { Clock } from '../../../domain/clock.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import { passkeyRemoval } from './remove-passkeys.ts';

/** ASKED: it waits for an operator to take it up, and for another one. */
export type RemovalAsked = 'ASKED' | 'WAITS_ALREADY' | 'NO_PASSKEY' | 'NOT_FOR_OWNERS';

/**
 * What an owner asks for a user who has lost all passkeys: nothing is removed before two operators have made sure
 * who is asking. Not for owners, since one owner could lock another one out: operators propose that themselves.
 * Refuses with not_found, and with version_conflict where the user was changed since, or may not log in.
 */
export async function askForPasskeyRemoval(
  { clock }: { readonly clock: Clock },
  tx: SystemTransaction,
  owner: User,
  seen: { readonly userId: string; readonly version: number },
): Promise<RemovalAsked> {
  const user = requireFound(await lockUser(tx, owner.customer.id, seen.userId));
  if (user.version !== seen.version || user.status !== 'ACTIVE') {
    throw new Refusal(
      'version_conflict',
      'This user has been changed since you opened the page. Nothing was changed.',
    );
  }
  if (user.role === 'OWNER') return 'NOT_FOR_OWNERS';
  if ((await countPasskeys(tx, [user.id])).size === 0) return 'NO_PASSKEY';
  const { scope, content } = requireFound(await passkeyRemoval(tx, user.id));
  const reason = 'An owner says that this user has lost every passkey.';
  const deps = { db: withinTransaction(tx), clock };
  const proposal = await proposeApproval(deps, scope, content, { user: owner.id, reason });
  return proposal === null ? 'WAITS_ALREADY' : 'ASKED';
}
