import { lockPayments } from '../../db/payments/payment-store.ts';
import { systemActor } from '../../domain/actor.ts';
import { isSettledOrFinal, type PaymentStatus } from '../../domain/payments/payment-states.ts';
import { isForOperators } from '../../domain/payments/next-bank-step.ts';
import type { Scope } from '../../domain/scope.ts';
import { changePayment } from './change-payment.ts';
import type { LockDeps } from './lock-payment.ts';

/**
 * Puts a payment ON_HOLD because of a fault of ours. Answers its status afterwards. It reads nothing but
 * the payment's row: the fault may lie in an attempt or a report.
 */
export function holdForFault(
  deps: LockDeps,
  scope: Scope,
  paymentId: string,
): Promise<PaymentStatus> {
  return deps.db.write(scope, async (tx) => {
    const [payment] = await lockPayments(tx, scope, [paymentId]);
    if (payment === undefined) throw new Error(`there is no payment ${paymentId} in its scope`);
    const { status, statusDetail } = payment;
    const waitsForOperator = status === 'ON_HOLD' && isForOperators(statusDetail);
    if (isSettledOrFinal(status) || waitsForOperator) return status;
    const { corridors, clock } = deps;
    const locked = { tx, scope, corridors, now: clock.now(), payment, attempts: [], book: null };
    const change = { status: 'ON_HOLD', statusDetail: 'ENGINE_FAULT' } as const;
    return (await changePayment(locked, change, systemActor('engine'))).payment.status;
  });
}
