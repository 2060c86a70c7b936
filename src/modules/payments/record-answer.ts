import { systemActor } from '../../domain/actor.ts';
import { nextStep, type PaymentStep } from '../../domain/payments/next-step.ts';
import { settleByAnswer } from '../../domain/payments/settle-by-answer.ts';
import type { SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import type { AnsweredCall, TransferAnswer } from '../../domain/payments/transfer-report.ts';
import type { Scope } from '../../domain/scope.ts';
import { withLockedPayment, type LockDeps } from './lock-payment.ts';
import { settlementOf } from './locked-payment.ts';
import { takeSteps } from './take-steps.ts';

/** Which attempt was sent or asked about, and which call of it was answered. */
export interface AnsweredAttempt {
  readonly paymentId: string;
  readonly reference: string;
  readonly call: AnsweredCall;
}

/**
 * Writes down what the bank answered to a send or a question, in one transaction that also ends the
 * payment if the answer is final. Reports that arrived meanwhile are judged first, so an answer that
 * they have overtaken changes nothing. Answers what is next.
 */
export function recordAnswer(
  deps: LockDeps & { readonly timing: SettlementTiming },
  scope: Scope,
  { paymentId, reference, call }: AnsweredAttempt,
  answer: TransferAnswer,
): Promise<PaymentStep> {
  const { timing } = deps;
  return withLockedPayment(deps, scope, paymentId, async (locked) => {
    const { now } = locked;
    const attempt = locked.attempts.find((one) => one.reference === reference);
    if (attempt === undefined) throw new Error(`there is no attempt ${reference}`);
    const settlement = settlementOf(locked, attempt);
    const { steps } = settleByAnswer(settlement, answer, { call, now, timing });
    const actor = systemActor(call.to === 'SEND' ? 'bank-answer' : 'bank-enquiry');
    return nextStep(await takeSteps(locked, steps, actor), now, timing);
  });
}
