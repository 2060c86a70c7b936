import type { ScopedTransaction } from '../../../db/client/database.ts';
import { closeEndUser as close, lockEndUser } from '../../../db/parties/end-user-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { hasOpenPayments } from '../../../db/payments/payment-list-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import type { RequireVersion } from '../../../domain/require-version.ts';
import type { Scope } from '../../../domain/scope.ts';
import { endUserEvent } from './end-user-view.ts';
import { refuseOwnEntity } from './refuse-own-entity.ts';

/**
 * Closes an end-user for good: nothing is paid for them any more. One that is closed stays as it is,
 * whatever version the caller has seen: the closing has been done (RFC 9110 section 13.1.1). Refuses
 * with not_found, operators_only, precondition_failed and end_user_has_open_payments.
 */
export async function closeEndUser(
  deps: { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  order: { readonly endUserId: string; readonly requireVersion: RequireVersion },
): Promise<void> {
  const at = deps.clock.now();
  // A payment that is being accepted holds the end-user until it has committed, so it is seen below.
  const endUser = requireFound(await lockEndUser(tx, scope, order.endUserId));
  refuseOwnEntity(endUser);
  if (endUser.status === 'CLOSED') return;
  order.requireVersion(endUser.version);
  if (await hasOpenPayments(tx, scope, endUser.id)) {
    const message =
      'The end-user has payments that are PROCESSING, ON_HOLD, or SENT. Wait until they end.';
    throw new Refusal('end_user_has_open_payments', message);
  }
  const closed = await close(tx, scope, endUser, at);
  await recordEvent(tx, scope, endUserEvent('end_user.closed', closed, endUser), at);
}
