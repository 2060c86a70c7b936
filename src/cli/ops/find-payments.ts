import { findPaymentsOfRequest } from '../../db/operations/ops-store.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { amountOf } from './amount.ts';
import type { OpsDeps } from './command-context.ts';
import { table } from './table.ts';

/** The payments that came with a request, whose id a partner has from the answer. */
export async function findPayments(
  deps: Pick<OpsDeps, 'db' | 'print'>,
  requestId: string,
): Promise<void> {
  if (!isId(ID_PREFIXES.request, requestId)) {
    throw new PlainError(`${requestId} is not a request ID (req_ and 26 characters).`);
  }
  const payments = await deps.db.system((tx) => findPaymentsOfRequest(tx, requestId));
  if (payments.length === 0) {
    throw new PlainError(
      `No payment was created by ${requestId}. A repeated request has its own ID. The payment keeps the ID of the first request.`,
    );
  }
  deps.print(
    table(
      ['payment', 'customer', 'environment', 'amount', 'status', 'detail', 'workflow'],
      payments.map((payment) => [
        payment.id,
        payment.customerId,
        payment.environment,
        amountOf(payment),
        payment.status,
        payment.statusDetail,
        payment.workflowId,
      ]),
    ),
  );
}
