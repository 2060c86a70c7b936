import { recordAudit } from '../../db/operations/audit-store.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import {
  findOperatorDecision,
  useOperatorDecision,
} from '../../db/approvals/operator-decision-store.ts';
import { attemptTakenUp, openAttemptOf } from '../../domain/payments/attempt.ts';
import { isForOperators } from '../../domain/payments/next-bank-step.ts';
import type { Scope } from '../../domain/scope.ts';
import type { PaymentResolution } from '../../domain/workflows/work-refs.ts';
import { changePayment } from './change-payment.ts';
import { withLockedPayment, type LockDeps } from './lock-payment.ts';
import { saveAttempt } from './take-steps.ts';

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
  deps: LockDeps,
  scope: Scope,
  paymentId: string,
  resolution: PaymentResolution,
): Promise<boolean> {
  return withLockedPayment(deps, scope, paymentId, async (locked) => {
    const { tx, payment, attempts, now } = locked;
    const isWaiting = payment.status === 'ON_HOLD' && isForOperators(payment.statusDetail);
    // The bank contradicts itself about it: sending anything could pay twice.
    if (!isWaiting || payment.reconciliationStatus === 'EXCEPTION') return false;
    const decided = await takeDecision(tx, scope, paymentId, resolution, now);
    if (decided === null) return false;
    const { operator, reason } = decided;
    const last = attempts.at(-1);
    const attempt = openAttemptOf(attempts) ?? (last?.phase === 'REJECTED' ? last : null);
    const current =
      attempt === null ? locked : await saveAttempt(locked, attemptTakenUp(attempt, now));
    const actor = { kind: 'OPERATOR', name: operator } as const;
    const decisionId = resolution.decisionId ?? null;
    const details = { reason, heldFor: payment.statusDetail, decisionId };
    const act = { action: 'payment.retry', scope, subject: paymentId, details };
    await recordAudit(tx, { at: now, actor, ...act });
    const change = { status: 'PROCESSING', statusDetail: 'RETRYING', rejections: 0 } as const;
    await changePayment(current, change, actor);
    return true;
  });
}

/** Who decided and why; null where the stored decision may not be acted upon. Uses it up. */
async function takeDecision(
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
  { action, decisionId }: PaymentResolution,
  at: Date,
): Promise<{ readonly operator: string; readonly reason: string | null } | null> {
  if (decisionId === undefined) return TEMPORAL_UI;
  const decision = await findOperatorDecision(tx, scope, decisionId);
  if (decision?.paymentId !== paymentId || decision.action !== action) return null;
  return (await useOperatorDecision(tx, scope, decisionId, at)) ? decision : null;
}
