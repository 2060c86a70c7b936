import {
  findPaymentForOps,
  readAttemptsForOps,
  readHistoryForOps,
} from '../../db/operations/ops-store.ts';
import { toDoAbout } from '../../domain/payments/paid-before-restore.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { amountOf } from './amount.ts';
import type { OpsDeps } from './command-context.ts';
import { table } from './table.ts';

/** One payment: where it stands, how it came there, what the bank was asked. */
export async function showPayment(deps: Pick<OpsDeps, 'db' | 'print'>, id: string): Promise<void> {
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
      ...(payment.releaseAt === null ? [] : [`release at ${payment.releaseAt.toISOString()}`]),
      `workflow ${payment.workflowId}`,
      `request ${payment.requestId ?? 'unknown'}`,
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
      ...attempts.flatMap(({ reference, heldBy }) =>
        heldBy === null ? [] : [`${reference} is not sent: ${heldBy}. ${toDoAbout(heldBy)}`],
      ),
    ].join('\n'),
  );
}
