import { setTimeout as pause } from 'node:timers/promises';
import type { PaymentBatchRef } from '../../src/domain/workflows/work-refs.ts';
import type { WorkflowClient } from '../../src/domain/workflows/workflow-client.ts';
import {
  judgePaymentBatch,
  type BatchProgress,
  type JudgeBatchDeps,
} from '../../src/modules/payments/batches/judge-payment-batch.ts';
import { ActivityError } from '../failures.ts';
import { SupersededRun } from '../../src/modules/payments/batches/held-run.ts';

export interface PaymentBatchActivityDeps extends Omit<JudgeBatchDeps, 'startPayment' | 'pause'> {
  readonly workflows: Pick<WorkflowClient, 'startPayment'>;
}

/** Accepts or refuses what batches hold. Every one may run twice. */
export function createPaymentBatchActivities(deps: PaymentBatchActivityDeps) {
  const judging: JudgeBatchDeps = {
    ...deps,
    pause: (ms) => pause(ms),
    startPayment: (scope, { workflowId, paymentId, rail, currency }, requestId) =>
      deps.workflows.startPayment(workflowId, { ...scope, paymentId, rail, currency }, requestId),
  };
  return {
    /** Judges items of a batch for some ten seconds: those behind the index `after`; -1 begins at the first one. */
    async judgeBatch({
      customerId,
      environment,
      batchId,
      after,
    }: PaymentBatchRef & { readonly after: number }): Promise<BatchProgress> {
      try {
        return await judgePaymentBatch(judging, { customerId, environment }, batchId, after);
      } catch (error) {
        if (error instanceof SupersededRun) throw new ActivityError('BATCH_BUSY');
        throw error;
      }
    },
  };
}
