import type { ApprovalRow } from '../../../db/approvals/approval-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import type { Database } from '../../../db/client/database.ts';
import { lockAvailable, openBalance } from '../../../db/ledger/balance-store.ts';
import { lockCrediting } from '../../../db/ledger/early-reversal-store.ts';
import { insertLedgerTransactions } from '../../../db/ledger/ledger-store.ts';
import { recordAudit } from '../../../db/operations/audit-store.ts';
import { lockPayments, type PaymentRow } from '../../../db/payments/payment-store.ts';
import { storeStatementReport } from '../../../db/payments/transfer-report-store.ts';
import {
  countOpenExceptions,
  insertExceptionAct,
  readReturnedOf,
} from '../../../db/reconciliation/exception-act-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import {
  differenceTo,
  recoverTo,
  returnFrom,
  type OpenAt,
} from '../../../domain/ledger/exception-movements.ts';
import { move, type LedgerLine, type Money } from '../../../domain/ledger/movements.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import type { CorridorTable } from '../../../domain/payments/corridors/corridor-table.ts';
import type { PaymentChange } from '../../../domain/payments/payment.ts';
import { railOf } from '../../../domain/payments/payment-destination.ts';
import {
  DIFFERENCE_ACCOUNTS,
  type DifferenceAccount,
  type ExceptionAct,
} from '../../../domain/reconciliation/exceptions/exception-act.ts';
import type { Scope } from '../../../domain/scope.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import { useApproval } from '../../approvals/use-approval.ts';
import { sayMoved } from '../../approvals/say-moved.ts';
import { applyReports } from '../../payments/apply-reports.ts';
import { changePayment } from '../../payments/change-payment.ts';
import { readLocked } from '../../payments/lock-payment.ts';
import type { LockedPayment } from '../../payments/locked-payment.ts';
import { paymentMoney } from '../../payments/payment-view.ts';
import { findBankOf } from './find-bank-of.ts';
import { toldReturnSeen } from './told-return.ts';

export interface ApplyExceptionDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
}

/** What two operators approved, read back. */
interface Approved {
  readonly act: ExceptionAct;
  readonly exception: string;
  readonly round: number;
  readonly paymentId: string | null;
  readonly open: Money | null;
  readonly at: OpenAt;
  readonly part: bigint;
  readonly account: DifferenceAccount | null;
  readonly unpaid: Money | null;
  /** What of an unmatched credit leaves suspense, and the account that it came in by; null for no credit. */
  readonly freed: (Money & { readonly to: string }) | null;
  /** The payment itself returns. */
  readonly isReturn: boolean;
  /** What the bank had told of the payment's return, which the line shows, minor units; null where it shows no such thing. */
  readonly told: bigint | null;
}

/**
 * Does what two operators approved about an exception: money, payment, act and audit entry in one transaction. Answers the
 * act's id. Throws ApprovalRefused where the payment has changed since, or another act has ended the exception.
 */
export async function applyExceptionAct(
  { db, clock, corridors }: ApplyExceptionDeps,
  approval: ApprovalRow,
): Promise<string> {
  const { customerId, environment, content } = approval;
  const scope: Scope = { customerId, environment };
  const wanted = readApproved(content);
  const bank = await findBankOf(db, approval.subjectId);
  return db.write(scope, async (tx) => {
    const { paymentId } = wanted;
    const [payment] = paymentId === null ? [] : await lockPayments(tx, scope, [paymentId]);
    // Before any balance, as where a statement is applied. The act waits for it in any case.
    if (bank !== null) await lockCrediting(tx, bank);
    const now = clock.now();
    await useApproval(tx, scope, approval, payment?.version ?? 1, now);
    const id = newId(ID_PREFIXES.exceptionAct);
    const lines = await movedLines(tx, scope, wanted, payment ?? null);
    const ledgerTransactionId = lines.length === 0 ? null : newId(ID_PREFIXES.ledgerTransaction);
    const { act, exception, round } = wanted;
    await insertExceptionAct(
      tx,
      scope,
      {
        ...{ id, exceptionId: approval.subjectId, exception, round, act, reverses: null },
        ...{ paymentId, content, ledgerTransactionId, approvalId: approval.id },
      },
      now,
    ).catch(sayEnded);
    if (ledgerTransactionId !== null) {
      const transaction = {
        id: ledgerTransactionId,
        kind: 'EXCEPTION',
        paymentId: null,
        lines,
      } as const;
      if (!(await insertLedgerTransactions(tx, scope, [transaction], now))) {
        throw new Error(`exception ${approval.subjectId}: a balance does not cover its act`);
      }
    }
    if (payment !== undefined) {
      const locked = await readLocked(tx, scope, payment, { corridors, now });
      const returned = wanted.isReturn ? await returnPayment(locked, id, wanted) : locked;
      const change =
        wanted.told === null
          ? await endedBy(returned, id, wanted)
          : toldReturnSeen(returned.payment, content, id);
      await changePayment(returned, change, { kind: 'OPERATOR', name: approval.decidedBy ?? '' });
    }
    await recordAudit(tx, {
      ...{ at: now, actor: { kind: 'OPERATOR', name: approval.decidedBy ?? '' }, scope },
      ...{ action: 'exception.act', subject: id },
      details: {
        ...{ ...content, exceptionId: approval.subjectId, approval: approval.id },
        ...{ proposedBy: approval.proposedBy, reason: approval.reason },
      },
    });
    return id;
  });
}

export function sayEnded(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  if (constraint === 'one_act_ends_an_exception_a_round') {
    throw new ApprovalRefused('Another act or a credit has ended the exception meanwhile.');
  }
  if (constraint === 'one_line_shows_a_part_of_a_trade') {
    throw new ApprovalRefused('Another line was tied to this part of the trade meanwhile.');
  }
  return sayMoved(error);
}

/** What bank statements show of a cover trade is in the books already, but for what the bank charged. */
async function movedLines(
  tx: LockedPayment['tx'],
  scope: Scope,
  approved: Approved,
  payment: PaymentRow | null,
): Promise<readonly LedgerLine[]> {
  const { freed } = approved;
  const lines = await openLines(tx, scope, approved, payment);
  return freed === null ? lines : [...move(freed, 'suspense', freed.to), ...lines];
}

async function openLines(
  tx: LockedPayment['tx'],
  scope: Scope,
  { act, open, at, part, account, unpaid, isReturn, told }: Approved,
  payment: PaymentRow | null,
): Promise<readonly LedgerLine[]> {
  if (open === null) return [];
  const { currency, minor } = open;
  const back = told ?? part;
  const money = payment && paymentMoney(payment);
  const sign = minor < 0n ? -1n : 1n;
  const rest = { currency, minor: minor - sign * back };
  const named = account === null ? null : DIFFERENCE_ACCOUNTS[account];
  const toPlatform = [
    ...(named === null || rest.minor === 0n ? [] : differenceTo(named, rest, at)),
    ...(named === null || unpaid === null ? [] : differenceTo(named, unpaid, at)),
  ];
  if (act === 'CREDIT_RETURN' && money !== null) {
    // The payment's own movement takes it out of its account at the bank, or has taken it.
    const toBank =
      at === 'suspense' && payment !== null
        ? move({ currency, minor: back }, at, `nostro:${railOf(payment.destination)}`)
        : [];
    if (isReturn || told !== null) return [...toBank, ...toPlatform];
    await openBalance(tx, scope, money.source.currency);
    return [...returnFrom(at, { currency, minor: part }, money), ...toPlatform];
  }
  if (act !== 'RECOVER') return toPlatform;
  const paysIn = money?.source.currency ?? currency;
  await openBalance(tx, scope, paysIn);
  const available = (await lockAvailable(tx, scope, paysIn)) ?? 0n;
  return [...recoverTo(at, { currency, minor: part }, money, available), ...toPlatform];
}

/** It comes back as if the statement had shown it as a return of so much: status, event and money are a return's. */
async function returnPayment(
  locked: LockedPayment,
  actId: string,
  { part, open }: Approved,
): Promise<LockedPayment> {
  const { tx, scope, now, payment, attempts } = locked;
  const settled = attempts.find(({ phase }) => phase === 'SETTLED');
  if (settled === undefined || open === null) throw new ApprovalRefused(CANNOT_RETURN);
  const amount = formatAmount(part, open.currency);
  const said = {
    status: 'RETURNED',
    bankReference: null,
    reason: null,
    amount,
    bookedAt: now,
  } as const;
  const { reference } = settled;
  await storeStatementReport(
    tx,
    scope,
    { reportId: actId, paymentId: payment.id, reference, ...said },
    now,
  );
  const told = await applyReports(locked);
  const isBack =
    told.payment.status === 'RETURNED' && told.payment.returnInfo?.amount === part.toString();
  if (!isBack) throw new ApprovalRefused(CANNOT_RETURN);
  return told;
}

const CANNOT_RETURN =
  'The payment cannot be returned as it stands. Look at what the bank reported.';

/** The payment is reconciled once nothing of it is open. Every act makes a version: what was proposed before is void. */
async function endedBy(
  locked: LockedPayment,
  actId: string,
  { act, isReturn }: Approved,
): Promise<PaymentChange> {
  const { tx, payment } = locked;
  const known = payment.reconciliationEvidence;
  const isEnded =
    payment.reconciliationStatus === 'EXCEPTION' &&
    (await countOpenExceptions(tx, payment.id)) === 0n;
  return {
    ...(isEnded
      ? {
          reconciliationStatus: 'RECONCILED',
          reconciliationEvidence: { ...seenBefore(known), endedBy: actId, ended: known },
        }
      : { reconciliationEvidence: { ...known, acted: actId } }),
    ...(act === 'CREDIT_RETURN' && !isReturn ? await returnNow(locked) : {}),
  };
}

/** What came back in all, as the customer reads it. Nothing of it where the payment never left. */
export async function returnNow({
  tx,
  scope,
  payment,
  now,
}: LockedPayment): Promise<PaymentChange> {
  const { status, amount, returnInfo } = payment;
  if (status !== 'COMPLETED' && status !== 'RETURNED') return {};
  const { returned } = await readReturnedOf(tx, scope, payment);
  if (returned === 0n && status === 'COMPLETED') return { returnInfo: null };
  return {
    returnInfo: {
      ...(returnInfo ?? { reason: null, at: now.toISOString() }),
      ...{ amount: returned.toString(), fee: (amount - returned).toString() },
      ...(status === 'COMPLETED' ? { isLate: true } : {}),
    },
  };
}

/** The evidence of the payout that was seen, beneath what went wrong since. */
function seenBefore(known: PaymentRow['reconciliationEvidence']) {
  let one = known;
  for (let level = 0; one !== null && level < 5; level += 1) {
    if (one['exception'] === undefined && one['kind'] === undefined) return one;
    one = (one['before'] as typeof known | undefined) ?? null;
  }
  return {};
}

function readApproved(content: ApprovalRow['content']): Approved {
  const text = (name: string): string | null => {
    const value = content[name];
    return value === undefined ? null : String(value);
  };
  const money = (minor: string, currency: string): Money | null => {
    const value = text(minor);
    return value === null ? null : { currency: text(currency) ?? '', minor: BigInt(value) };
  };
  const freed = money('freed', 'freedCurrency');
  return {
    freed: freed && { ...freed, to: text('freedTo') ?? '' },
    ...{ act: text('act') as ExceptionAct, exception: text('exception') ?? '' },
    ...{ round: Number(text('round')), paymentId: text('paymentId') },
    ...{ open: money('open', 'currency'), at: (text('at') ?? 'suspense') as OpenAt },
    ...{ part: BigInt(text('part') ?? '0'), account: text('account') as DifferenceAccount | null },
    ...{ unpaid: money('unpaid', 'unpaidCurrency'), isReturn: text('as') === 'RETURN' },
    told: money('told', 'currency')?.minor ?? null,
  };
}
