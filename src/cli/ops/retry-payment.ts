import { findPaymentForOps } from '../../db/operations/ops-store.ts';
import {
  retryInTime,
  type RetryDecision,
  type RetryDeps,
} from '../../modules/payments/retry-held-payment.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';

/** Takes up one payment that waits for an operator. Throws PlainError where it does not. */
export async function retryPayment(
  deps: RetryDeps & Pick<OpsDeps, 'print'>,
  id: string,
  decision: RetryDecision,
): Promise<void> {
  const payment = await deps.db.system((tx) => findPaymentForOps(tx, id));
  if (payment === null) throw new PlainError(`There is no payment ${id}.`);
  const outcome = await retryInTime(deps, payment, decision);
  if (outcome.kind !== 'TAKEN') throw new PlainError(outcome.why);
  deps.print(
    `Payment ${id} is being retried: the bank is asked first. See: npm run ops -- payments show ${id}`,
  );
}
