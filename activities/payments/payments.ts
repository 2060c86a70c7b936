import type { PaymentStep } from '../../src/domain/payments/next-step.ts';
import type { Scope } from '../../src/domain/scope.ts';
import type { PaymentRef, PaymentResolution } from '../../src/domain/workflows/work-refs.ts';
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

/** How Temporal sees each problem, and when it tries again: by the policy of the activity where no time is given. */
const toFailure: Readonly<Record<SettleProblem, () => ActivityError>> = {
  NO_CONNECTOR: () => new ActivityError('BANK_UNREACHABLE', { retryAfterMs: 30_000 }),
  UNSCREENED: () => new ActivityError('PROVIDER_UNREACHABLE', { retryAfterMs: 10_000 }),
  // Temporal's own retry shows the outage, and costs no history.
  NOT_SENT: () => new ActivityError('BANK_UNREACHABLE'),
};

const scopeOf = ({ customerId, environment }: PaymentRef): Scope => ({ customerId, environment });

/** The steps of a payment. Each begins from what PostgreSQL says, and may run twice. */
export function createPaymentActivities(deps: SettleDeps) {
  const settle = createSettle(deps);
  return {
    /**
     * Does the payment's next step, whatever PostgreSQL says that is, the bank call included. `isFirst`: it may be the
     * first step with the bank, so a READY attempt is looked for.
     */
    async settle(ref: PaymentRef & { readonly isFirst?: boolean }): Promise<PaymentStep> {
      try {
        return await settle(scopeOf(ref), ref.paymentId, ref.isFirst === true);
      } catch (error) {
        throw error instanceof SettleLater ? toFailure[error.problem]() : error;
      }
    },

    /** Applies what the bank reported meanwhile. Never talks to the bank. */
    applyTransferReports(ref: PaymentRef): Promise<PaymentStep> {
      const timing = deps.timing[ref.environment];
      return applyPaymentReports({ ...deps, timing }, scopeOf(ref), ref.paymentId);
    },

    /** Puts the payment ON_HOLD because of a fault of our own. */
    holdForFault(ref: PaymentRef & { readonly failureCode: string }): Promise<PaymentStep> {
      const timing = deps.timing[ref.environment];
      return holdForFault({ ...deps, timing }, scopeOf(ref), ref.paymentId);
    },

    /**
     * Audits an operator's decision and opens the way for it. False: the payment does not wait for an
     * operator, or the decision is not about it or was used before, and nothing was done.
     */
    resolvePayment(ref: PaymentRef & { readonly resolution: PaymentResolution }): Promise<boolean> {
      return retryPayment(deps, scopeOf(ref), ref.paymentId, ref.resolution);
    },
  };
}
