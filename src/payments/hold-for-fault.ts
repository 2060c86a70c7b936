import type { Database } from '../db/database.ts';
import { lockPayment } from '../db/payment-store.ts';
import type { Clock } from '../domain/clock.ts';
import { isSettledOrFinal } from '../domain/payments/payment-states.ts';
import { isForOperators } from '../domain/payments/settlement-plan.ts';
import type { Scope } from '../domain/scope.ts';
import { changePayment } from './change-payment.ts';

/** Puts a payment ON_HOLD because of a fault of ours. Answers its status afterwards. */
export function holdForFault(
  deps: { readonly db: Database; readonly clock: Clock },
  scope: Scope,
  paymentId: string,
): Promise<string> {
  return deps.db.write(scope, async (tx) => {
    const payment = await lockPayment(tx, scope, paymentId);
    if (payment === null) throw new Error(`there is no payment ${paymentId} in its scope`);
    const waitsForOperator = payment.status === 'ON_HOLD' && isForOperators(payment.statusDetail);
    if (isSettledOrFinal(payment.status) || waitsForOperator) return payment.status;
    const patch = { status: 'ON_HOLD', statusDetail: 'ENGINE_FAULT', actor: 'engine' } as const;
    return (await changePayment(tx, scope, payment, patch, deps.clock.now())).status;
  });
}
