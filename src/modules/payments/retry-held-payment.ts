import {
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
} from '@temporalio/client';
import type { Database } from '../../db/client/database.ts';
import { newId } from '../../db/client/new-id.ts';
import { insertOperatorDecision } from '../../db/approvals/operator-decision-store.ts';
import type { OpsPayment } from '../../db/operations/ops-store.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { Clock } from '../../domain/clock.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';

/** Who takes held payments up again, and why. */
export interface RetryDecision {
  readonly operator: string;
  readonly reason: string;
}

/** What became of one retry; `why` is a sentence for the operator. */
export type RetryOutcome =
  | { readonly kind: 'TAKEN' }
  | { readonly kind: 'NOT_WAITING' | 'REFUSED' | 'NO_ANSWER'; readonly why: string };

/** Without a worker an Update waits for one without end. */
const ANSWER_MS = 30_000;

export interface RetryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly workflows: WorkflowClient;
  readonly getClient: () => Client;
}

/** Retries one payment within 30 s. Running it again is safe, whatever the outcome was. */
export async function retryInTime(
  deps: RetryDeps,
  payment: OpsPayment,
  decision: RetryDecision,
): Promise<RetryOutcome> {
  try {
    return await deps
      .getClient()
      .connection.withDeadline(Date.now() + ANSWER_MS, () => retryOne(deps, payment, decision));
  } catch (error) {
    if (!(error instanceof WorkflowUpdateRPCTimeoutOrCancelledError)) throw error;
    return {
      kind: 'NO_ANSWER',
      why: `No worker answered within 30 s for payment ${payment.id}. The retry takes effect once a worker runs.`,
    };
  }
}

/**
 * Writes the decision down and sends its id in the validated Update `resolve` to the payment's
 * workflow: the operator's words stay out of Temporal's history.
 */
async function retryOne(
  deps: RetryDeps,
  payment: OpsPayment,
  decision: RetryDecision,
): Promise<RetryOutcome> {
  const { id, workflowId, customerId, environment, rail, currency } = payment;
  const decisionId = newId(ID_PREFIXES.operatorDecision);
  await deps.db.system((tx) =>
    insertOperatorDecision(
      tx,
      { customerId, environment },
      { id: decisionId, paymentId: id, action: 'RETRY', ...decision },
      deps.clock.now(),
    ),
  );
  const update = () =>
    deps
      .getClient()
      .workflow.getHandle(workflowId)
      .executeUpdate<boolean, [object]>('resolve', { args: [{ action: 'RETRY', decisionId }] });
  try {
    const isTaken = await update().catch(async (error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      // Its workflow has ended: a new run continues from what PostgreSQL holds.
      const toStart = { customerId, environment, paymentId: id, rail, currency };
      await deps.workflows.restartPayment(workflowId, toStart, 'operator');
      return update();
    });
    return isTaken ? { kind: 'TAKEN' } : notWaiting(payment);
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return notWaiting(payment);
    if (!(error instanceof WorkflowUpdateFailedError)) throw error;
    return {
      kind: 'REFUSED',
      why: `The workflow refused: ${error.cause?.message ?? error.message}`,
    };
  }
}

const notWaiting = (payment: OpsPayment): RetryOutcome => ({
  kind: 'NOT_WAITING',
  why:
    payment.reconciliationStatus === 'EXCEPTION'
      ? `Payment ${payment.id} cannot be retried. The bank contradicts itself about this payment, and sending it again could pay twice. Clear this up with the bank; see docs/how-to/resolve-stuck-payments.md.`
      : `Payment ${payment.id} does not wait for an operator. Its status is ${payment.status} / ${payment.statusDetail}.`,
});
