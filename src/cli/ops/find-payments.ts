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
    throw new PlainError(`${requestId} is no id of a request (req_ and 26 characters).`);
  }
  const payments = await deps.db.system((tx) => findPaymentsOfRequest(tx, requestId));
  if (payments.length === 0) {
    throw new PlainError(
      `No payment came with ${requestId}. A repeated request has an id of its own; the payment keeps the first one's.`,
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
