import type { ScopedTransaction } from '../../db/client/database.ts';
import { lockPayments, type PaymentRow } from '../../db/payments/payment-store.ts';
import { lockReleaseShared } from '../../db/operations/release-stop-store.ts';
import type { Actor } from '../../domain/actor.ts';
import type { Clock } from '../../domain/clock.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import { requireFound } from '../../domain/errors/require-found.ts';
import { attemptAbandoned } from '../../domain/payments/attempt.ts';
import {
  CANCEL_REASON,
  canceled,
  findCancelObstacle,
  type CancelObstacle,
} from '../../domain/payments/cancel-rules.ts';
import type { RequireVersion } from '../../domain/require-version.ts';
import type { Scope } from '../../domain/scope.ts';
import { changePayment } from './change-payment.ts';
import { closeDeposits } from './close-deposits.ts';
import { readLocked } from './lock-payment.ts';
import type { LockedPayment } from './locked-payment.ts';
import { mayHaveLeftUnseen } from './may-have-left-unseen.ts';
import { saveAttempt } from './take-steps.ts';

interface CancelRequest {
  readonly paymentId: string;
  readonly actor: Actor;
  readonly requireVersion: RequireVersion;
}

/**
 * Cancels a payment of which nothing has left, under the lock that a claim takes too: either this finds
 * the attempt claimed, or the claim finds the payment canceled. Funds go back in the same transaction, and what
 * deposits have brought in part. One
 * that is canceled already is answered as it is. Refuses with not_found, as `requireVersion` does, and with
 * payment_not_cancelable.
 */
export async function cancelPayment(
  { corridors, clock }: { readonly corridors: CorridorTable; readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  { paymentId, actor, requireVersion }: CancelRequest,
): Promise<PaymentRow> {
  const [row] = await lockPayments(tx, scope, [paymentId]);
  const found = requireFound(row ?? null);
  if (found.status === 'CANCELED') return found;
  requireVersion(found.version);
  // A callback or a statement line that is stored and unread counts: it is judged first.
  const locked = await readLocked(tx, scope, found, { corridors, now: clock.now() });
  // Before the look at restore mode, as for a claim: it may be beginning.
  await lockReleaseShared(tx);
  const { releaseAt } = locked.payment;
  // Before its day no life of the database can have sent it.
  const hadItsDay = releaseAt === null || releaseAt <= locked.now;
  const isRestored = hadItsDay && (await mayHaveLeftUnseen(locked));
  const obstacle = findCancelObstacle(locked.payment, locked.attempts, isRestored);
  if (obstacle !== null) throw refuse(locked.payment, obstacle);
  const closed = await closeAttempts(locked);
  const change = canceled(closed.payment);
  await closeDeposits(closed);
  return (await changePayment(closed, change, actor)).payment;
}

/** The READY one, or one that is known not to have left. */
async function closeAttempts(locked: LockedPayment): Promise<LockedPayment> {
  let current = locked;
  for (const attempt of locked.attempts) {
    current = await saveAttempt(current, attemptAbandoned(attempt, CANCEL_REASON, locked.now));
  }
  return current;
}

function refuse({ status, statusDetail }: PaymentRow, reason: CancelObstacle): Refusal {
  const code = 'payment_not_cancelable';
  const message = describe(reason);
  return new Refusal(code, message, [
    { path: '', code, message, meta: { status, statusDetail, reason } },
  ]);
}

function describe(obstacle: CancelObstacle): string {
  switch (obstacle) {
    case 'ALREADY_ENDED':
      return 'The payment already ended.';
    case 'SENT_TO_BANK':
      return 'The payment was sent to the bank, or may have been sent.';
    case 'DEPOSIT_COMPLETE':
      return 'The deposit that funds the payment is complete, and the payment is in progress.';
    case 'BANK_MUST_BE_ASKED':
      return 'The payment may have been sent. The service must ask the bank about it first.';
    default:
      return assertNever(obstacle);
  }
}
