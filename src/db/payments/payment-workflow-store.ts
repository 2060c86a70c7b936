import { isSettledOrFinal, type PaymentStatus } from '../../domain/payments/payment-states.ts';
import type { Scope } from '../../domain/scope.ts';
import type { AnyTransaction } from '../client/database.ts';

/** The workflow of a payment that is not over. */
interface PaymentWorkflow {
  readonly paymentId: string;
  readonly workflowId: string;
}

/** The workflows of those of some payments that are neither settled nor final, by id. */
export async function readPaymentWorkflows(
  tx: AnyTransaction,
  { customerId, environment }: Scope,
  ids: readonly string[],
): Promise<PaymentWorkflow[]> {
  const rows = await tx.query<PaymentWorkflow & { status: PaymentStatus }>(
    `SELECT id AS "paymentId", workflow_id AS "workflowId", status FROM payments
     WHERE customer_id = $1 AND environment = $2 AND id = ANY ($3::text[]) ORDER BY id`,
    [customerId, environment, [...ids]],
  );
  return rows.flatMap(({ status, ...workflow }) => (isSettledOrFinal(status) ? [] : [workflow]));
}
