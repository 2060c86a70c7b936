import { isSettledOrFinal } from '../../src/domain/payments/payment-states.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { applyPaymentReports } from '../../src/modules/payments/advance-payment.ts';
import { holdForFault } from '../../src/modules/payments/hold-for-fault.ts';
import { retryPayment } from '../../src/modules/payments/resolve-payment.ts';
import {
  createSettle,
  SettleLater,
  type SettleDeps,
  type SettleProblem,
} from '../../src/modules/payments/settle.ts';
import { ActivityError } from '../failures.ts';
import type { PaymentActivities, PaymentRef } from '../types.ts';

/** How Temporal sees each problem, and when it tries again: by the policy of the activity where no time is given. */
const toFailure: Readonly<Record<SettleProblem, () => ActivityError>> = {
  NO_CONNECTOR: () => new ActivityError('BANK_UNREACHABLE', { retryAfterMs: 30_000 }),
  UNSCREENED: () => new ActivityError('PROVIDER_UNREACHABLE', { retryAfterMs: 10_000 }),
  // Temporal's own retry shows the outage, and costs no history.
  NOT_SENT: () => new ActivityError('BANK_UNREACHABLE'),
};

const scopeOf = ({ customerId, environment }: PaymentRef): Scope => ({ customerId, environment });

/** The steps of a payment. Each begins from what PostgreSQL says, and may run twice. */
export function createPaymentActivities(deps: SettleDeps): PaymentActivities {
  const settle = createSettle(deps);
  return {
    async settle(ref) {
      try {
        return await settle(scopeOf(ref), ref.paymentId, ref.isFirst === true);
      } catch (error) {
        throw error instanceof SettleLater ? toFailure[error.problem]() : error;
      }
    },

    applyTransferReports(ref) {
      const timing = deps.timing[ref.environment];
      return applyPaymentReports({ ...deps, timing }, scopeOf(ref), ref.paymentId);
    },

    async holdForFault(ref) {
      const status = await holdForFault(deps, scopeOf(ref), ref.paymentId);
      const waitMs = deps.timing[ref.environment].holdCheckMs;
      return isSettledOrFinal(status)
        ? { kind: 'DONE', status }
        : { kind: 'WAIT', waitMs, needsHuman: true };
    },

    resolvePayment(ref) {
      return retryPayment(deps, scopeOf(ref), ref.paymentId, ref.resolution);
    },
  };
}
