import { lockPayments } from '../../db/payments/payment-store.ts';
import { systemActor } from '../../domain/actor.ts';
import { isForOperators } from '../../domain/payments/next-bank-step.ts';
import { waitStep, type PaymentStep } from '../../domain/payments/next-step.ts';
import { isSettledOrFinal } from '../../domain/payments/payment-states.ts';
import { holdLookMs, type SettlementTiming } from '../../domain/payments/settlement-timing.ts';
import type { Scope } from '../../domain/scope.ts';
import { changePayment } from './change-payment.ts';
import type { LockDeps } from './lock-payment.ts';

/**
 * Puts a payment ON_HOLD because of a fault of ours. Answers its next step: it waits for operators, unless it has ended.
 * It reads nothing but the payment's row: the fault may lie in an attempt or a report.
 */
export function holdForFault(
  deps: LockDeps & { readonly timing: SettlementTiming },
  scope: Scope,
  paymentId: string,
): Promise<PaymentStep> {
  return deps.db.write(scope, async (tx) => {
    const [payment] = await lockPayments(tx, scope, [paymentId]);
    if (payment === undefined) throw new Error(`there is no payment ${paymentId} in its scope`);
    const { status, statusDetail } = payment;
    const waitsForOperator = status === 'ON_HOLD' && isForOperators(statusDetail);
    if (isSettledOrFinal(status)) return { kind: 'DONE', status };
    const { corridors, clock, timing } = deps;
    const now = clock.now();
    const locked = { tx, scope, corridors, now, payment, attempts: [], book: null };
    const change = { status: 'ON_HOLD', statusDetail: 'ENGINE_FAULT' } as const;
    const held = waitsForOperator
      ? locked
      : await changePayment(locked, change, systemActor('engine'));
    const waitMs = holdLookMs(held.payment.heldSince, now, timing);
    return waitStep(held, { waitMs, needsHuman: true });
  });
}
