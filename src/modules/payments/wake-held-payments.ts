import type { Database } from '../../db/client/database.ts';
import { listHeldForKyc } from '../../db/payments/payment-list-store.ts';
import type { KycStatus } from '../../domain/parties/kyc/kyc-states.ts';
import type { Scope } from '../../domain/scope.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';

/** Payments of one end-user that are woken at once; the others look again by themselves. */
const BATCH = 200;

/** Wakes the payments that wait for an end-user's KYC approval once it has come. */
export async function wakeHeldPayments(
  deps: {
    readonly db: Database;
    readonly workflows: Pick<WorkflowClient, 'wakePayment'>;
  },
  scope: Scope,
  endUserId: string,
  status: KycStatus,
): Promise<void> {
  if (status !== 'APPROVED') return;
  const held = await deps.db.read(scope, (tx) => listHeldForKyc(tx, scope, endUserId, BATCH));
  for (const { id, workflowId } of held) {
    await deps.workflows.wakePayment(workflowId, { ...scope, paymentId: id }, 'kyc');
  }
}
