import { takeBudget, type Asking } from '../../../db/customers/login-challenge-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';

/** Invitations an hour. */
const OF_A_CUSTOMER = 20;
const OF_AN_ADDRESS = 3;

/** Takes one invitation of the hour's budgets; false where there is none left: no one is sent many. */
export async function takeInviteBudget(
  { vault, clock }: { readonly vault: KeyedHashes; readonly clock: Clock },
  db: Asking,
  invited: { readonly customerId: string; readonly address: string },
): Promise<boolean> {
  const at = clock.now();
  const budgets = [
    [`customer:${invited.customerId}`, OF_A_CUSTOMER],
    [`address:${invited.address}`, OF_AN_ADDRESS],
  ] as const;
  for (const [countedFor, most] of budgets) {
    if (!(await takeBudget(db, vault.briefHash('invite-budget', countedFor), at, most))) {
      return false;
    }
  }
  return true;
}
