import { updatePayments, type WrittenVersion } from '../../db/payments/payment-write-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { Actor } from '../../domain/actor.ts';
import type { PaymentChange, PaymentState } from '../../domain/payments/payment.ts';
import { paymentEventType } from '../../domain/payments/payment-events.ts';
import { finalityAfter, type FinalityChange } from '../../domain/payments/finality.ts';
import { isLegalMove } from '../../domain/payments/payment-states.ts';
import { movementTransactions } from '../ledger/ledger-transaction.ts';
import type { LockedPayment } from './locked-payment.ts';
import { paymentEventView, paymentMoney } from './payment-view.ts';

/**
 * The one way to change a payment, which the caller has locked. Written together are the next version,
 * its history, its ledger movements, its event and deliveries. Throws where the state table has no
 * such move; the database would refuse it too.
 */
export async function changePayment(
  locked: LockedPayment,
  change: PaymentChange,
  actor: Actor,
): Promise<LockedPayment> {
  const { tx, scope, now } = locked;
  const version = nextVersion(locked.payment, change, actor, now);
  await updatePayments(tx, scope, [version], now);
  return { ...locked, payment: version.payment };
}

/** The same for several payments that one transaction has locked, in one statement. */
export async function changePayments(
  changes: readonly { readonly locked: LockedPayment; readonly change: PaymentChange }[],
  actor: Actor,
): Promise<void> {
  const [first] = changes;
  if (first === undefined) return;
  const { tx, scope, now } = first.locked;
  const versions = changes.map(({ locked, change }) =>
    nextVersion(locked.payment, change, actor, now),
  );
  await updatePayments(tx, scope, versions, now);
}

/** The next version of a payment, with all that is written of it. Throws for a move that is not legal. */
export function nextVersion(
  before: PaymentRow,
  { movements = [], finalDueAt, becomesFinal, ...patch }: PaymentChange,
  actor: Actor,
  now: Date,
): WrittenVersion {
  const finality = { ...(finalDueAt && { finalDueAt }), ...(becomesFinal && { becomesFinal }) };
  const payment = patched(before, patch, finality, now);
  const moving = { paymentId: before.id, money: paymentMoney(before) };
  return {
    payment,
    actor,
    event: versionEvent(before, payment),
    movements: movements.flatMap((movement) => movementTransactions(moving, movement)),
  };
}

function patched(
  payment: PaymentRow,
  patch: Partial<PaymentState>,
  finality: FinalityChange,
  now: Date,
): PaymentRow {
  const status = patch.status ?? payment.status;
  const mayMove = payment.finality !== 'FINAL' && isLegalMove(payment.status, status);
  if (status !== payment.status && !mayMove) {
    throw new Error(`payment ${payment.id} cannot move from ${payment.status} to ${status}`);
  }
  return {
    ...payment,
    ...patch,
    ...finalityAfter(payment, status, finality, now),
    mayHaveLeft: payment.mayHaveLeft || patch.hasOpenAttempt === true,
    heldSince: status === 'ON_HOLD' ? heldSince(payment, patch, now) : null,
    version: payment.version + 1,
    updatedAt: now,
  };
}

function versionEvent(before: PaymentRow, next: PaymentRow) {
  const reconciled =
    next.reconciliationStatus === 'RECONCILED' && before.reconciliationStatus !== 'RECONCILED';
  const becameFinal = next.finality === 'FINAL' && before.finality !== 'FINAL';
  return {
    type: paymentEventType({
      ...{ from: before.status, to: next.status, reconciled, becameFinal },
      requoted: next.statusDetail === 'REQUOTED' && before.statusDetail !== 'REQUOTED',
    }),
    resourceType: 'payment',
    resourceId: next.id,
    resourceVersion: next.version,
    data: paymentEventView(next),
    previous: { status: before.status, statusDetail: before.statusDetail },
  } as const;
}

/** Since when it waits for the reason it waits for now: another reason starts anew. */
function heldSince(payment: PaymentRow, patch: Partial<PaymentState>, now: Date): Date {
  const isSame = (patch.statusDetail ?? payment.statusDetail) === payment.statusDetail;
  return (isSame ? payment.heldSince : null) ?? now;
}
