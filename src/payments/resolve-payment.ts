import { recordAudit } from '../db/audit-store.ts';
import type { Database, ScopedTransaction } from '../db/database.ts';
import { findOperatorDecision, useOperatorDecision } from '../db/operator-decision-store.ts';
import { lockPayment } from '../db/payment-store.ts';
import { readAttempts, updateAttempt } from '../db/settlement-attempt-store.ts';
import { actorText } from '../domain/actor.ts';
import type { Clock } from '../domain/clock.ts';
import { isForOperators } from '../domain/payments/settlement-plan.ts';
import type { Scope } from '../domain/scope.ts';
import { changePayment } from './change-payment.ts';
import { openAttemptOf } from './plan-payment.ts';

export interface Resolution {
  readonly action: 'RETRY';
  /** Where operator and reason are stored; without one the decision came from Temporal UI. */
  readonly decisionId?: string;
}

/** Who decided where no decision is stored: all that Temporal tells. */
const TEMPORAL_UI = { operator: 'temporal-ui', reason: null } as const;

/**
 * Takes an operator's RETRY of a payment that waits for one: writes the audit entry, puts the payment
 * back to work and lets the bank be asked at once. Asking comes first: the bytes go out again only if
 * the bank still says that it never saw them. Changes nothing and answers false where the payment does
 * not wait, where the bank contradicts itself about it, and where the decision is about another payment
 * or was used before.
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
    const isWaiting = payment.status === 'ON_HOLD' && isForOperators(payment.statusDetail);
    // The bank contradicts itself about it: sending anything could pay twice.
    if (!isWaiting || payment.reconciliationStatus === 'EXCEPTION') return false;
    const decided = await takeDecision(tx, scope, paymentId, resolution, deps.clock.now());
    if (decided === null) return false;
    const actor = { kind: 'OPERATOR', name: decided.operator } as const;
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
      actor,
      action: 'payment.retry',
      scope,
      subject: paymentId,
      details: {
        reason: decided.reason,
        heldFor: payment.statusDetail,
        decisionId: resolution.decisionId ?? null,
      },
    });
    await changePayment(
      tx,
      scope,
      payment,
      {
        status: 'PROCESSING',
        statusDetail: 'RETRYING',
        rejections: 0,
        actor: actorText(actor),
      },
      now,
    );
    return true;
  });
}

/** Who decided and why; null where the stored decision may not be acted upon. Uses it up. */
async function takeDecision(
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
  { action, decisionId }: Resolution,
  at: Date,
): Promise<{ readonly operator: string; readonly reason: string | null } | null> {
  if (decisionId === undefined) return TEMPORAL_UI;
  const decision = await findOperatorDecision(tx, scope, decisionId);
  if (decision?.paymentId !== paymentId || decision.action !== action) return null;
  return (await useOperatorDecision(tx, scope, decisionId, at)) ? decision : null;
}
