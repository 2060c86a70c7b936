import { readPaymentWorkflows } from '../../../db/payments/payment-workflow-store.ts';
import type { DepositRow } from '../../../db/onchain/deposit-store.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { ReaderDeps } from './reader-deps.ts';

/** Wakes each payment that waits for one of some deposits, once, after these were written. */
export async function wakePayments(
  { db, workflows }: Pick<ReaderDeps, 'db' | 'workflows'>,
  scope: Scope,
  deposits: readonly Pick<DepositRow, 'id' | 'paymentId'>[],
): Promise<void> {
  const payments = [...new Set(deposits.flatMap(({ paymentId }) => paymentId ?? []))];
  if (payments.length === 0) return;
  const waiting = await db.system((tx) => readPaymentWorkflows(tx, scope, payments));
  for (const { paymentId, workflowId } of waiting) {
    const told = deposits.find((one) => one.paymentId === paymentId)?.id ?? paymentId;
    await workflows.wakePayment(workflowId, { ...scope, paymentId }, told);
  }
}
