import { RETRY_PAYMENT } from '../../modules/operations/acts/payment-acts.ts';
import type { RetryDecision } from '../../modules/payments/retry-held-payment.ts';
import type { OpsDeps } from './command-context.ts';
import { performAct } from './perform-act.ts';

/** Takes up one payment that waits for an operator. Throws PlainError where it does not. */
export const retryPayment = (deps: OpsDeps, id: string, act: RetryDecision): Promise<number> =>
  performAct(deps, [
    {
      entry: RETRY_PAYMENT,
      find: (acting) => RETRY_PAYMENT.subject.find(acting, id),
      missing: RETRY_PAYMENT.subject.missing(id),
      ...{ values: {}, act },
    },
  ]);
