import { actByApproval } from '../../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../../approvals/propose-approval.ts';
import { withinTransaction } from '../../approvals/within-transaction.ts';
import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { readFinalCursor } from '../../../db/onchain/chain-cursor-store.ts';
import { findChainStop } from '../../../db/onchain/chain-stop-store.ts';
import type { AnyTransaction, Database, ScopedTransaction } from '../../../db/client/database.ts';
import type { DepositReviewRow } from '../../../db/onchain/deposit-review-store.ts';
import type { DepositRow } from '../../../db/onchain/deposit-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import {
  BLOCKED_DECISIONS,
  type BlockedDecision,
} from '../../../domain/onchain/deposits/deposit.ts';
import { keepDeposit, releaseDeposit } from '../../../domain/onchain/deposits/funding-book.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { isSettledOrFinal } from '../../../domain/payments/payment-states.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { WorkflowClient } from '../../../domain/workflows/workflow-client.ts';
import { ownerOf } from './decide-deposit.ts';
import { lockBook, type LockedBook } from '../../ledger/funding/locked-book.ts';
import { takeBookStep } from '../../ledger/funding/take-book-step.ts';

interface DecideDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly workflows: Pick<WorkflowClient, 'wakePayment'>;
}

/**
 * Proposes what becomes of a blocked deposit; null where a proposal about it waits already, whichever of the two it
 * says. Throws ApprovalRefused where it could not take effect now.
 */
export async function proposeBlockedDecision(
  deps: ApprovalDeps,
  row: DepositReviewRow,
  decision: BlockedDecision,
  act: OperatorAct,
): Promise<string | null> {
  const { id: subjectId, version: subjectVersion, customerId, environment } = row;
  const { network, txHash, asset, amount } = row;
  const content = { decision, network, txHash, asset, amount: formatAmount(amount, asset) };
  const proposal = { action: 'BLOCKED_DEPOSIT', subjectId, subjectVersion, content } as const;
  return deps.db.system(async (tx) => {
    await requireDecidable(tx, row, row, decision);
    const within = { ...deps, db: withinTransaction(tx) };
    return proposeApproval(within, { customerId, environment }, proposal, act);
  });
}

/**
 * Does what two operators approved, in one transaction: a released deposit leaves suspense and is credited as any other
 * one, for its payment where that still waits; a kept one stays in suspense for good, and its address may be swept.
 * The payment is woken after the commit. Throws ApprovalRefused where the deposit is not blocked any more or has changed
 * since the proposal, its network is stopped, or one that is to be kept is not in a final block.
 */
export async function decideBlocked(
  deps: DecideDeps,
  row: DepositReviewRow,
  approval: ApprovalRow,
): Promise<BlockedDecision> {
  const { id, customerId, environment } = row;
  const scope = { customerId, environment };
  const decision = decisionOf(approval);
  const { payment } = await actByApproval(deps, scope, approval, {
    action: decision === 'RELEASE' ? 'deposit.release' : 'deposit.keep',
    subject: `deposits/${id}`,
    async lock(tx) {
      const { locked, deposit } = await lockBlocked(tx, scope, row);
      await requireDecidable(tx, scope, deposit, decision);
      return { it: locked, version: deposit.version };
    },
    async act(tx, locked, { at }) {
      const step = (decision === 'RELEASE' ? releaseDeposit : keepDeposit)(locked.book, id);
      if (step === null) throw new ApprovalRefused(NOT_BLOCKED);
      await takeBookStep(tx, scope, locked, step, at);
      return locked;
    },
  });
  if (decision === 'RELEASE' && payment !== null && !isSettledOrFinal(payment.status)) {
    const told = { ...scope, paymentId: payment.id };
    // A wake that gets lost is no harm: a payment that waits looks again by itself.
    await deps.workflows.wakePayment(payment.workflowId, told, id).catch(() => undefined);
  }
  return decision;
}

const NOT_BLOCKED = 'The deposit is not blocked. Another operator may have decided it.';

function decisionOf({ content }: ApprovalRow): BlockedDecision {
  const decision = BLOCKED_DECISIONS.find((one) => one === content['decision']);
  if (decision === undefined) throw new ApprovalRefused('The approval does not name a decision.');
  return decision;
}

/** The deposit, with its book locked as whatever else changes it does. */
async function lockBlocked(
  tx: ScopedTransaction,
  scope: Scope,
  row: DepositReviewRow,
): Promise<{ readonly locked: LockedBook; readonly deposit: DepositRow }> {
  const locked = await lockBook(tx, scope, { ...ownerOf(row), depositId: row.id });
  const deposit = locked.rows.find(({ id }) => id === row.id);
  if (deposit?.status !== 'BLOCKED') throw new ApprovalRefused(NOT_BLOCKED);
  return { locked, deposit };
}

/** The database judges the same again when the deposit changes. */
async function requireDecidable(
  tx: AnyTransaction,
  { environment }: Pick<Scope, 'environment'>,
  { status, network, blockNumber }: Pick<DepositRow, 'status' | 'network' | 'blockNumber'>,
  decision: BlockedDecision,
): Promise<void> {
  if (status !== 'BLOCKED') throw new ApprovalRefused(NOT_BLOCKED);
  const place = { environment, network };
  if ((await findChainStop(tx, place)) !== null) {
    throw new ApprovalRefused(
      'Its network is stopped, and its block may have disappeared. Decide when the network has resumed.',
    );
  }
  if (decision === 'RELEASE') return;
  const final = await readFinalCursor(tx, place);
  if (final === null || final.number < blockNumber) {
    throw new ApprovalRefused('Its block is not final yet. Decide when the block is final.');
  }
}
