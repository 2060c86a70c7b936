import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { Database } from '../db/database.ts';
import {
  findPaymentForOps,
  listStuckPayments,
  readAttemptsForOps,
  readHistoryForOps,
  type OpsPayment,
} from '../db/ops-store.ts';
import type { Clock } from '../domain/clock.ts';
import { formatAmount } from '../domain/money/amount.ts';
import { PlainError } from '../runtime/plain-error.ts';
import type { WorkflowClient } from '../domain/workflow-client.ts';
import { table } from './table.ts';

export interface PaymentCommandDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly workflows: WorkflowClient;
  readonly getClient: () => Client;
  readonly print: (text: string) => void;
}

/** One payment: where it stands, how it came there, what the bank was asked. */
export async function showPayment(deps: PaymentCommandDeps, id: string): Promise<void> {
  const found = await deps.db.system(async (tx) => {
    const payment = await findPaymentForOps(tx, id);
    if (payment === null) throw new PlainError(`There is no payment ${id}.`);
    const history = await readHistoryForOps(tx, id);
    return { payment, history, attempts: await readAttemptsForOps(tx, id) };
  });
  const { payment, history, attempts } = found;
  deps.print(
    [
      `${payment.id}  ${amountOf(payment)}  ${payment.rail}`,
      `customer ${payment.customerId} (${payment.environment})`,
      `status ${payment.status} / ${payment.statusDetail}, funds ${payment.fundsStatus}, reconciliation ${payment.reconciliationStatus}`,
      `workflow ${payment.workflowId}`,
      '',
      table(
        ['version', 'status', 'detail', 'by', 'at'],
        history.map((row) => [
          String(row.version),
          row.status,
          row.statusDetail,
          row.actor,
          row.at.toISOString(),
        ]),
      ),
      '',
      table(
        ['reference', 'phase', 'sends', 'last answer', 'bank reference', 'next question'],
        attempts.map((row) => [
          row.reference,
          row.phase,
          String(row.sends),
          row.lastAnswer ?? '-',
          row.bankReference ?? '-',
          row.nextAskAt?.toISOString() ?? '-',
        ]),
      ),
    ].join('\n'),
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * What has not moved for so long is not what it should be: nobody works on it, the bank cannot be
 * reached, or it has taken a transfer on and not settled it within a long weekend.
 */
const QUIET_AFTER_MS = {
  test: { PROCESSING: MINUTE_MS, SENT: MINUTE_MS },
  live: { PROCESSING: HOUR_MS, SENT: 4 * 24 * HOUR_MS },
} as const;

/** What waits for a human, and what has been under way for too long without a word. */
export async function showStuckPayments(
  deps: Pick<PaymentCommandDeps, 'db' | 'clock' | 'print'>,
  limit: number,
): Promise<void> {
  const now = deps.clock.now().getTime();
  const since = ({ PROCESSING, SENT }: Readonly<Record<'PROCESSING' | 'SENT', number>>) => ({
    PROCESSING: new Date(now - PROCESSING),
    SENT: new Date(now - SENT),
  });
  const quietSince = { test: since(QUIET_AFTER_MS.test), live: since(QUIET_AFTER_MS.live) };
  const stuck = await deps.db.system((tx) => listStuckPayments(tx, quietSince, limit));
  if (stuck.length === 0) {
    deps.print('Nothing waits for a human.');
    return;
  }
  deps.print(
    table(
      ['payment', 'amount', 'status', 'detail', 'reconciliation', 'since'],
      stuck.map((payment) => [
        payment.id,
        amountOf(payment),
        payment.status,
        payment.statusDetail,
        payment.reconciliationStatus,
        (payment.heldSince ?? payment.updatedAt).toISOString(),
      ]),
    ),
  );
}

/** Sends the validated Update `resolve` with RETRY to the payment's workflow. */
export async function replayPayment(
  deps: PaymentCommandDeps,
  id: string,
  decision: { readonly operator: string; readonly reason: string },
): Promise<void> {
  const payment = await deps.db.system((tx) => findPaymentForOps(tx, id));
  if (payment === null) throw new PlainError(`There is no payment ${id}.`);
  const update = () =>
    deps
      .getClient()
      .workflow.getHandle(payment.workflowId)
      .executeUpdate<boolean, [object]>('resolve', { args: [{ action: 'RETRY', ...decision }] });
  const isTaken = await update()
    .catch(async (error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
      // Its workflow was terminated: a new run continues from what PostgreSQL holds.
      const { customerId, environment } = payment;
      await deps.workflows.startPayment(payment.workflowId, {
        customerId,
        environment,
        paymentId: id,
      });
      return update();
    })
    .catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) throw notWaiting(payment);
      if (!(error instanceof WorkflowUpdateFailedError)) throw error;
      throw new PlainError(`The workflow refused: ${error.cause?.message ?? error.message}`);
    });
  if (!isTaken) throw notWaiting(payment);
  deps.print(
    `Payment ${id} is being retried: the bank is asked first. See: npm run ops -- payments show ${id}`,
  );
}

const notWaiting = (payment: OpsPayment) =>
  new PlainError(
    payment.reconciliationStatus === 'EXCEPTION'
      ? `Payment ${payment.id} is not retried: the bank contradicts itself about it, and sending more could pay twice. Clear it with the bank; its statement completes the payment.`
      : `Payment ${payment.id} does not wait for an operator: it is ${payment.status} / ${payment.statusDetail}.`,
  );

const amountOf = ({ amount, currency }: OpsPayment): string =>
  `${formatAmount(amount, currency)} ${currency}`;
