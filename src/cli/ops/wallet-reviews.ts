import type { OperatorAct } from '../../modules/approvals/propose-approval.ts';
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
import { refuseWallet, rejectReviewed } from '../../modules/parties/wallets/refuse-wallet.ts';
import {
  isReleasable,
  proposeWalletRelease,
} from '../../modules/parties/wallets/release-wallet.ts';
import { wakeReview } from '../../modules/parties/wallets/wake-review.ts';
import type { OpsDeps } from './command-context.ts';
import { handedIn } from './handed-in.ts';
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

/** Takes one operator's refusal. Again for a refused one: its wallet is rejected, its payments are woken once more. */
export async function refuseWalletReview(
  deps: OpsDeps,
  id: string,
  act: OperatorAct,
): Promise<number> {
  const row = await findReview(deps, id);
  if (row.outcome === null && !(await refuseWallet(deps, row, act))) {
    throw new PlainError(`Review ${id} was decided meanwhile.`);
  }
  if (row.outcome !== null && row.outcome !== 'REFUSED') {
    throw new PlainError(`Review ${id} was decided before: ${row.outcome}.`);
  }
  await rejectReviewed(deps, row);
  deps.print(`Refused: ${id}. ${await wakeReview(deps, row)} Whatever has not left fails.`);
  return 0;
}

/** Proposes a release; nothing changes until two operators then approve it in the console. */
export async function proposeReviewRelease(
  deps: OpsDeps,
  id: string,
  act: OperatorAct,
): Promise<number> {
  const row = await findReview(deps, id);
  if (!isReleasable(row)) {
    throw new PlainError(`Review ${id} is not released: ${row.outcome ?? row.verdict}.`);
  }
  const proposal = await proposeWalletRelease(deps, row, act);
  if (proposal === null) {
    throw new PlainError(
      `A release of ${id} is proposed already. See: npm run ops -- approvals list`,
    );
  }
  deps.print(handedIn(proposal));
  return 0;
}

/** Throws PlainError where there is none. */
async function findReview({ db }: Pick<OpsDeps, 'db'>, id: string): Promise<WalletReviewRow> {
  const row = await db.system((tx) => findWalletReview(tx, id));
  if (row === null) throw new PlainError(`There is no review ${id}.`);
  return row;
}
