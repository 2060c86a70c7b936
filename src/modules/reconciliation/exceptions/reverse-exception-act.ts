import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import { lockAvailable, openBalance } from '../../../db/ledger/balance-store.ts';
import { lockCrediting } from '../../../db/ledger/early-reversal-store.ts';
import { insertLedgerTransactions } from '../../../db/ledger/ledger-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import { lockPayments } from '../../../db/payments/payment-store.ts';
import {
  findExceptionAct,
  findStandingReturn,
  insertExceptionAct,
  readMovedLines,
  readReturnedOf,
  type ExceptionActRow,
} from '../../../db/reconciliation/exception-act-store.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { contraLines } from '../../../domain/ledger/exception-movements.ts';
import type { PaymentState } from '../../../domain/payments/payment.ts';
import type { Scope } from '../../../domain/scope.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { proposeApproval, type OperatorAct } from '../../approvals/propose-approval.ts';
import { useApproval } from '../../approvals/use-approval.ts';
import { changePayment } from '../../payments/change-payment.ts';
import { readLocked } from '../../payments/lock-payment.ts';
import type { LockedPayment } from '../../payments/locked-payment.ts';
import { returnNow, type ApplyExceptionDeps } from './apply-exception-act.ts';
import { findBankOf } from './find-bank-of.ts';
import type { ExceptionDeps } from './propose-exception-act.ts';
import { toldReturnUnseen } from './told-return.ts';

/** An act never changes: it is reversed once. */
const ONLY_VERSION = 1;

type KnownAct = ExceptionActRow & { readonly isReversed: boolean };

/** Proposes that an act is reversed; null where a proposal waits. Throws ApprovalRefused for one that is, or is a reversal. */
export function proposeExceptionReversal(
  deps: ExceptionDeps,
  act: KnownAct,
  by: OperatorAct,
): Promise<string | null> {
  refuseReversed(act);
  const { customerId, environment, id, exceptionId, exception, round, paymentId } = act;
  const content = {
    ...{ act: 'REVERSE', reverses: act.act, exceptionId, exception, round, customerId },
    ...(paymentId === null ? {} : { paymentId }),
  };
  const about = { subjectId: id, subjectVersion: ONLY_VERSION, content };
  return proposeApproval(
    deps,
    { customerId, environment },
    { action: 'EXCEPTION_REVERSAL', ...about },
    by,
  );
}

function refuseReversed({ id, act, isReversed }: KnownAct): void {
  if (act === 'REVERSE') throw new ApprovalRefused(`${id} is a reversal. Apply another act.`);
  if (isReversed) throw new ApprovalRefused(`Act ${id} is already reversed.`);
}

/**
 * Undoes an act by contra entries: what the customer got is taken back, and is owed where it is spent; the exception is open
 * again. A payment that the act returned stays RETURNED. Throws ApprovalRefused where it was reversed meanwhile, or an act
 * that stands rests on it.
 */
export async function reverseExceptionAct(
  { db, clock, corridors }: ApplyExceptionDeps,
  approval: ApprovalRow,
): Promise<string> {
  const known = await db.system((tx) => findExceptionAct(tx, approval.subjectId));
  if (known === null) throw new ApprovalRefused(`There is no act ${approval.subjectId}.`);
  refuseReversed(known);
  const { customerId, environment, paymentId, exceptionId, exception, round } = known;
  const scope: Scope = { customerId, environment };
  const bank = await findBankOf(db, exceptionId);
  return db.write(scope, async (tx) => {
    const [payment] = paymentId === null ? [] : await lockPayments(tx, scope, [paymentId]);
    // Before any balance, as where a statement is applied: the line's credit may wait again.
    if (bank !== null) await lockCrediting(tx, bank);
    const now = clock.now();
    await useApproval(tx, scope, approval, ONLY_VERSION, now);
    const moved = await readMovedLines(tx, scope, {
      transactionId: known.ledgerTransactionId,
      returnOf: known.content['as'] === 'RETURN' ? paymentId : null,
    });
    const available = new Map<string, bigint>();
    for (const { account, currency } of moved) {
      if (account !== 'available' && account !== 'receivable') continue;
      await openBalance(tx, scope, currency);
      available.set(currency, (await lockAvailable(tx, scope, currency)) ?? 0n);
    }
    const lines = contraLines(moved, available);
    const id = newId(ID_PREFIXES.exceptionAct);
    const ledgerTransactionId = lines.length === 0 ? null : newId(ID_PREFIXES.ledgerTransaction);
    await insertExceptionAct(
      tx,
      scope,
      {
        ...{ id, exceptionId, exception, round, act: 'REVERSE', reverses: known.id, paymentId },
        ...{ content: approval.content, ledgerTransactionId, approvalId: approval.id },
      },
      now,
    ).catch(sayReversed);
    if (ledgerTransactionId !== null) {
      const kind = 'EXCEPTION_REVERSAL' as const;
      const transaction = { id: ledgerTransactionId, kind, paymentId: null, lines };
      if (!(await insertLedgerTransactions(tx, scope, [transaction], now))) {
        throw new Error(`act ${known.id}: a balance does not cover its reversal`);
      }
    }
    if (payment !== undefined) {
      const locked = await readLocked(tx, scope, payment, { corridors, now });
      await refuseIfNeeded(locked, known);
      const returned = known.act === 'CREDIT_RETURN' ? await returnNow(locked) : {};
      const again =
        known.content['as'] === 'TOLD_RETURN'
          ? toldReturnUnseen(locked.payment, known.id)
          : openAgain(locked.payment, known.id);
      const change = { ...again, ...returned };
      await changePayment(locked, change, { kind: 'OPERATOR', name: approval.decidedBy ?? '' });
    }
    await recordAudit(tx, {
      ...{ at: now, actor: { kind: 'OPERATOR', name: approval.decidedBy ?? '' }, scope },
      ...{ action: 'exception.reverse', subject: id },
      details: {
        ...{ ...approval.content, act: known.id, approval: approval.id },
        ...{ proposedBy: approval.proposedBy, reason: approval.reason },
      },
    });
    return id;
  });
}

/**
 * Throws ApprovalRefused where another act rests on this one, which is reversed here: what came back to the customer of a
 * payment is never more than was sent and recovered.
 */
async function refuseIfNeeded({ tx, scope, payment }: LockedPayment, known: KnownAct) {
  if (known.act !== 'RECOVER') return;
  const { isSettled, returned, waiting, recovered } = await readReturnedOf(tx, scope, payment);
  if (returned + waiting <= (isSettled ? payment.amount : 0n) + recovered) return;
  const act = await findStandingReturn(tx, payment.id);
  if (act === null) return;
  throw new ApprovalRefused(
    `Act ${act} credited what act ${known.id} recovered. Reverse act ${act} first.`,
  );
}

/** What was wrong is wrong again; a payment whose line the act only named had nothing wrong. */
function openAgain(
  { reconciliationStatus, reconciliationEvidence: known }: PaymentState,
  reversed: string,
): Partial<PaymentState> {
  const ended = known?.['ended'] as PaymentState['reconciliationEvidence'] | undefined;
  if (reconciliationStatus !== 'RECONCILED' || ended === undefined) {
    return { reconciliationEvidence: { ...known, reversed } };
  }
  return { reconciliationStatus: 'EXCEPTION', reconciliationEvidence: { ...ended, reversed } };
}

function sayReversed(error: unknown): never {
  if (
    error instanceof Error &&
    'constraint' in error &&
    error.constraint === 'exception_acts_reverses_key'
  )
    throw new ApprovalRefused('It is already reversed.');
  throw error;
}
