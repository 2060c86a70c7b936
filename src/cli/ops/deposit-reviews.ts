import {
  findDepositReview,
  listBlockedDecisions,
  listBlockedDeposits,
  listHeldDeposits,
  type DepositReviewRow,
} from '../../db/onchain/deposit-review-store.ts';
import { paidOutWarning } from '../../modules/onchain/deposits/paid-out-warning.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import type { Environment } from '../../domain/scope.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';
import { table } from './table.ts';

/** Whether a case is a deposit whose sender is to be looked at, or is on a list. */
export const isDepositReview = (id: string): boolean => isId(ID_PREFIXES.deposit, id);

const amountOf = ({ amount, asset }: DepositReviewRow): string =>
  `${formatAmount(amount, asset)} ${asset}`;

/** Deposits that wait for a decision, held or blocked, as a table; null where there is none. */
export async function depositReviewTable(
  deps: OpsDeps,
  environment: Environment | null,
  limit: number,
): Promise<string | null> {
  const rows = await deps.db.system(async (tx) => [
    ...(await listHeldDeposits(tx, environment, limit + 1)),
    ...(await listBlockedDeposits(tx, environment, limit + 1)),
  ]);
  if (rows.length === 0) return null;
  const shown = table(
    ['case', 'environment', 'customer', 'amount', 'stands', 'since'],
    rows
      .slice(0, limit)
      .map((row) => [
        ...[row.id, row.environment, row.customerId, amountOf(row)],
        ...[row.status === 'BLOCKED' ? 'BLOCKED' : 'HELD', row.createdAt.toISOString()],
      ]),
  );
  return rows.length > limit ? `${shown}\nThere are more.` : shown;
}

/** What came, from where, and what was decided of it. */
export async function showDepositReview(deps: OpsDeps, id: string): Promise<number> {
  const row = await findDeposit(deps, id);
  const decisions = await deps.db.system((tx) => listBlockedDecisions(tx, id));
  const owner = row.paymentId ?? row.depositAddressId ?? '-';
  const warning = paidOutWarning(row);
  deps.print(
    [
      `${id}  ${row.status}  since ${row.createdAt.toISOString()}`,
      `customer ${row.customerId} (${row.environment}), for ${owner}`,
      `${amountOf(row)} on ${row.network} from ${row.from}`,
      `transaction ${row.txHash}`,
      ...(warning === null ? [] : [warning]),
      ...(row.outcome === null
        ? []
        : [`${row.outcome} by ${row.decidedBy ?? '-'}: ${row.reason ?? '-'}`]),
      ...decisions.map(
        ({ decision, proposedBy, decidedBy, reason }) =>
          `${decision} proposed by ${proposedBy}, approved by ${decidedBy}: ${reason}`,
      ),
    ].join('\n'),
  );
  return 0;
}

/** Throws PlainError where there is none. */
async function findDeposit({ db }: Pick<OpsDeps, 'db'>, id: string): Promise<DepositReviewRow> {
  const row = await db.system((tx) => findDepositReview(tx, id));
  if (row === null) throw new PlainError(`There is no deposit ${id} in review.`);
  return row;
}
