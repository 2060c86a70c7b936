import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowClient } from '../../src/domain/workflows/workflow-client.ts';
import {
  judgePaymentBatch,
  type JudgeBatchDeps,
} from '../../src/modules/payments/batches/judge-payment-batch.ts';
import { ActivityError } from '../failures.ts';
import { SupersededRun } from '../../src/modules/payments/batches/held-run.ts';
import type { PaymentBatchActivities } from '../types.ts';

export interface PaymentBatchActivityDeps extends Omit<JudgeBatchDeps, 'startPayment' | 'pause'> {
  readonly workflows: Pick<WorkflowClient, 'startPayment'>;
}

/** Accepts or refuses what batches hold. Every one may run twice. */
export function createPaymentBatchActivities(
  deps: PaymentBatchActivityDeps,
): PaymentBatchActivities {
  const judging: JudgeBatchDeps = {
    ...deps,
    pause: (ms) => pause(ms),
    startPayment: (scope, { workflowId, paymentId }, requestId) =>
      deps.workflows.startPayment(workflowId, { ...scope, paymentId }, requestId),
  };
  return {
    async judgeBatch({ customerId, environment, batchId, after }) {
      try {
        return await judgePaymentBatch(judging, { customerId, environment }, batchId, after);
      } catch (error) {
        if (error instanceof SupersededRun) throw new ActivityError('BATCH_BUSY');
        throw error;
      }
    },
  };
}
