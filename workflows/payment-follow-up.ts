import { CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { PaymentActivities } from '../activities/types.ts';
import type { PaymentRef } from '../src/domain/workflows/work-refs.ts';
import { RECORD } from './options.ts';

const { applyTransferReports } = proxyActivities<PaymentActivities>({
  ...RECORD,
  summary: 'Apply what the bank reported after the payment ended',
});

/**
 * Applies reports about a payment whose workflow has ended: money that came back, or a report against
 * what is final. Its id ends in the report's number, so a report is followed up once.
 */
export async function paymentFollowUp(ref: PaymentRef): Promise<string> {
  const step = await CancellationScope.nonCancellable(() => applyTransferReports(ref));
  return step.kind === 'DONE' ? step.status : 'OPEN';
}
