import { actByApproval } from '../../approvals/act-by-approval.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { proposeApproval, type OperatorAct } from '../../approvals/propose-approval.ts';
import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { Database, ScopedTransaction } from '../../../db/client/database.ts';
import {
  insertDepositDecision,
  showDepositDecision,
  type DepositReviewRow,
} from '../../../db/onchain/deposit-review-store.ts';
import { lockDeposit, type DepositOwner } from '../../../db/onchain/deposit-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { actorText } from '../../../domain/actor.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Scope } from '../../../domain/scope.ts';
import { depositEvent } from '../../ledger/funding/deposit-view.ts';
import { lockBook } from '../../ledger/funding/locked-book.ts';

interface DecideDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Whether operators may still decide about a deposit. */
export const isUndecided = ({ status, review, outcome }: DepositReviewRow): boolean =>
  status === 'SEEN' && review === 'HELD' && outcome === null;

/** Proposes to let a deposit be credited; null where a proposal about it waits already. */
export function proposeClearance(
  deps: DecideDeps,
  row: DepositReviewRow,
  act: OperatorAct,
): Promise<string | null> {
  const { id: subjectId, version: subjectVersion, network, txHash } = row;
  const { customerId, environment } = row;
  return proposeApproval(
    deps,
    { customerId, environment },
    { action: 'DEPOSIT_CLEARANCE', subjectId, subjectVersion, content: { network, txHash } },
    act,
  );
}

/**
 * Does what two operators approved: the deposit is credited as any other one, by the next poll cycle of its chain.
 * Throws ApprovalRefused where it changed meanwhile or was decided before.
 */
export function clearDeposit(
  deps: DecideDeps,
  row: DepositReviewRow,
  approval: ApprovalRow,
): Promise<void> {
  const { id, customerId, environment } = row;
  const scope = { customerId, environment };
  return actByApproval(deps, scope, approval, {
    action: 'deposit.clear',
    subject: `deposits/${id}`,
    async lock(tx) {
      const locked = await lockHeld(tx, scope, row);
      if (locked?.review !== 'HELD' || locked.status !== 'SEEN') {
        throw new ApprovalRefused('It is no longer held.');
      }
      return { it: locked, version: locked.version };
    },
    async act(tx, _locked, word) {
      if (!(await insertDepositDecision(tx, scope, id, { outcome: 'RELEASED', ...word }))) {
        throw new ApprovalRefused('It was already decided.');
      }
      await show(tx, scope, row, 'RELEASED', word.at);
    },
  });
}

/**
 * Takes one operator's word that a deposit is not credited: it is blocked, and kept in suspense, by the next poll cycle
 * of its chain. False where it was cleared before. Refusing is of the operators' role, and the deposit of its scope's:
 * between the two it stays held, and where the second is cut off, `showDecisions` does it.
 */
export async function refuseDeposit(
  { db, clock }: DecideDeps,
  row: DepositReviewRow,
  { operator, reason }: OperatorAct,
): Promise<boolean> {
  const { id, customerId, environment, outcome } = row;
  const scope = { customerId, environment };
  const actor = { kind: 'OPERATOR', name: operator } as const;
  const isRefused =
    outcome === 'REFUSED' ||
    (await db.system(async (tx) => {
      const at = clock.now();
      const decision = { outcome: 'REFUSED', actor: actorText(actor), at, reason } as const;
      if (!(await insertDepositDecision(tx, scope, id, decision))) return false;
      const subject = `deposits/${id}`;
      const details = { reason };
      await recordAudit(tx, { at, actor, action: 'deposit.refuse', scope, subject, details });
      return true;
    }));
  if (!isRefused) return false;
  await showDecision({ db, clock }, { ...row, outcome: 'REFUSED' });
  return true;
}

/**
 * Shows on a deposit what was decided of it; nothing where it shows that, is not SEEN, or nothing was decided. What
 * is cut off before it `showDecisions` does.
 */
export async function showDecision(
  { db, clock }: DecideDeps,
  row: DepositReviewRow,
): Promise<void> {
  const { customerId, environment, outcome } = row;
  if (outcome === null) return;
  const scope = { customerId, environment };
  await db.write(scope, async (tx) => {
    await lockHeld(tx, scope, row);
    await show(tx, scope, row, outcome, clock.now());
  });
}

/** The deposit as it is, with its book locked as whatever else changes it does. */
async function lockHeld(tx: ScopedTransaction, scope: Scope, row: DepositReviewRow) {
  const { rows } = await lockBook(tx, scope, { ...ownerOf(row), depositId: row.id });
  return rows.find(({ id }) => id === row.id) ?? null;
}

/** Where a deposit under review came to. */
export function ownerOf({ id, paymentId, depositAddressId }: DepositReviewRow): DepositOwner {
  if (paymentId !== null) return { paymentId, depositAddressId: null };
  if (depositAddressId !== null) return { paymentId, depositAddressId };
  throw new Error(`deposit ${id} came to no address`);
}

async function show(
  tx: ScopedTransaction,
  scope: Scope,
  { id }: DepositReviewRow,
  review: 'RELEASED' | 'REFUSED',
  at: Date,
): Promise<void> {
  if (!(await showDepositDecision(tx, scope, id, review, at))) return;
  const shown = await lockDeposit(tx, scope, id);
  if (shown === null) throw new Error(`deposit ${id} is gone under its lock`);
  await recordEvent(tx, scope, depositEvent('deposit.updated', shown), at);
}
