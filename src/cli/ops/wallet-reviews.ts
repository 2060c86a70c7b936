import {
  findWalletReview,
  listOpenReviews,
  listPaymentsTo,
  type WalletReviewRow,
} from '../../db/parties/wallet-review-store.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import type { Environment } from '../../domain/scope.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import type { OpsDeps } from './command-context.ts';
import { table } from './table.ts';

const PAYMENTS_MAX = 100;

/** Whether a case is the review of a wallet's address, and not a hit of a name. */
export const isWalletReview = (id: string): boolean => isId(ID_PREFIXES.walletReview, id);

/** Wallets that wait for a decision, as a table; null where there is none. */
export async function walletReviewTable(
  deps: OpsDeps,
  environment: Environment | null,
  limit: number,
): Promise<string | null> {
  const rows = await deps.db.system((tx) => listOpenReviews(tx, environment, limit + 1));
  if (rows.length === 0) return null;
  const shown = table(
    ['case', 'environment', 'customer', 'wallet', 'found', 'since'],
    rows
      .slice(0, limit)
      .map((row) => [
        ...[row.id, row.environment, row.customerId, row.walletId],
        ...[row.verdict, row.openedAt.toISOString()],
      ]),
  );
  return rows.length > limit ? `${shown}\nThere are more.` : shown;
}

/** What was found at a wallet's address, and the payments under way to it. */
export async function showWalletReview(deps: OpsDeps, id: string): Promise<number> {
  const row = await findReview(deps, id);
  const payments = await deps.db.system((tx) =>
    listPaymentsTo(tx, row, row.walletId, PAYMENTS_MAX),
  );
  deps.print(
    [
      `${id}  ${row.outcome ?? 'OPEN'}  since ${row.openedAt.toISOString()}`,
      `customer ${row.customerId} (${row.environment}), wallet ${row.walletId} (${row.walletStatus})`,
      `${row.network} ${row.address}`,
      `${row.verdict} at ${row.foundAt}, list ${row.listVersion}, entry ${row.match ?? '-'}`,
      ...(row.outcome === null ? [] : [`decided by ${row.decidedBy ?? '-'}: ${row.reason ?? '-'}`]),
      '',
      table(
        ['payment', 'status', 'amount'],
        payments.map(({ id: payment, status, statusDetail, amount, currency }) => [
          payment,
          `${status} ${statusDetail ?? ''}`.trim(),
          `${formatAmount(amount, currency)} ${currency}`,
        ]),
      ),
    ].join('\n'),
  );
  return 0;
}

/** Throws PlainError where there is none. */
async function findReview({ db }: Pick<OpsDeps, 'db'>, id: string): Promise<WalletReviewRow> {
  const row = await db.system((tx) => findWalletReview(tx, id));
  if (row === null) throw new PlainError(`There is no review ${id}.`);
  return row;
}
