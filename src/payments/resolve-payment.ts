import { recordAudit } from '../db/audit-store.ts';
import type { Database } from '../db/database.ts';
import { lockPayment } from '../db/payment-store.ts';
import { readAttempts, updateAttempt } from '../db/settlement-attempt-store.ts';
import type { Clock } from '../domain/clock.ts';
import { isForOperators } from '../domain/payments/settlement-plan.ts';
import type { Scope } from '../domain/scope.ts';
import { changePayment } from './change-payment.ts';
import { openAttemptOf } from './plan-payment.ts';

export interface Resolution {
  readonly action: 'RETRY';
  readonly operator: string;
  readonly reason: string;
}

/**
 * Takes an operator's RETRY of a payment that waits for one: writes the audit entry, puts the payment
 * back to work and lets the bank be asked at once. Asking comes first: the bytes go out again only if
 * the bank still says that it never saw them. Called twice, for a payment that no longer waits,
 * or for one about which the bank contradicts itself, it
 * changes nothing and answers false.
 */
export function retryPayment(
  deps: { readonly db: Database; readonly clock: Clock },
  scope: Scope,
  paymentId: string,
  resolution: Resolution,
): Promise<boolean> {
  return deps.db.write(scope, async (tx) => {
    const payment = await lockPayment(tx, scope, paymentId);
    if (payment === null) throw new Error(`there is no payment ${paymentId} in its scope`);
    if (payment.status !== 'ON_HOLD' || !isForOperators(payment.statusDetail)) return false;
    // The bank contradicts itself about it: sending anything could pay twice.
    if (payment.reconciliationStatus === 'EXCEPTION') return false;
    const now = deps.clock.now();
    const attempts = await readAttempts(tx, scope, paymentId);
    const attempt = openAttemptOf(attempts);
    const last = attempts.at(-1);
    if (attempt === null && last?.phase === 'REJECTED') {
      await updateAttempt(tx, scope, { ...last, isRejectionConfirmed: false, nextAskAt: now }, now);
    }
    if (attempt !== null) {
      await updateAttempt(
        tx,
        scope,
        {
          ...attempt,
          fruitlessSends: 0,
          refusedByBank: false,
          missingCount: 0,
          unknownSince: now,
          askBaseAt: now,
          nextAskAt: now,
        },
        now,
      );
    }
    await recordAudit(tx, {
      at: now,
      actor: `operator:${resolution.operator}`,
      action: 'payment.retry',
      scope,
      subject: paymentId,
      details: { reason: resolution.reason, heldFor: payment.statusDetail },
    });
    await changePayment(
      tx,
      scope,
      payment,
      {
        status: 'PROCESSING',
        statusDetail: 'RETRYING',
        rejections: 0,
        actor: `operator:${resolution.operator}`,
      },
      now,
    );
    return true;
  });
}
