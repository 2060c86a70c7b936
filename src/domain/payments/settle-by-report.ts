import { assertNever } from '../assert-never.ts';
import { attemptRestored, type Attempt } from './attempt.ts';
import { failedOnChain, waiting, waitOf, withHash } from './chain-reports.ts';
import { reasonOf, returnReason } from './failures/rail-reasons.ts';
import { judgeReport, type ReportEffect } from './judge-report.ts';
import { lateReturnTold } from './late-return.ts';
import type { PaymentChange, PaymentReference, SettlingPayment } from './payment.ts';
import { FRUITLESS_SENDS_MAX } from './settlement-timing.ts';
import { isRetryableReason, type ReportSource, type TransferReport } from './transfer-report.ts';

/** The attempt as it is next and, where there is one, the version of the payment that goes with it. */
export interface SettlementStep<Row extends Attempt> {
  readonly attempt: Row;
  readonly change: PaymentChange | null;
}

/** What a report comes to: steps to be written in this order. */
export interface SettlementDecision<Row extends Attempt> {
  readonly effect: ReportEffect;
  readonly steps: readonly SettlementStep<Row>[];
}

/** A locked payment, one attempt of it, and what the rail does with returns. */
export interface Settlement<Row extends Attempt> {
  readonly payment: SettlingPayment;
  readonly attempt: Row;
  readonly areReturnsDeducted: boolean;
  /** Until when the rail lets come back what settles now. */
  readonly finalDueAt: Date;
}

/**
 * The next states of a payment and its attempt after one report of the bank, whichever way it came. The
 * same report twice, late or out of order has no second effect; one against what is final changes
 * only the reconciliation status, for an operator to look at.
 */
export function settleByReport<Row extends Attempt>(
  settlement: Settlement<Row>,
  report: TransferReport,
  source: ReportSource,
  now: Date,
): SettlementDecision<Row> {
  const { payment, attempt, finalDueAt } = settlement;
  const effect = judgeReport({ ...settlement, source, now }, report);
  const told: Row = {
    ...attempt,
    bankReference: report.bankReference ?? attempt.bankReference,
    reason: report.reason ?? attempt.reason,
    // What the bank said last stays in sight beside what operators said.
    ...(source.kind === 'OPERATORS'
      ? { confirmedBy: source.approvalId }
      : { lastAnswer: report.status }),
    heldBy: null,
    updatedAt: now,
  };
  const isOnChain = payment.destination.kind === 'WALLET';
  const addReference = isOnChain ? withHash : withBankReference;
  const refs = addReference(payment.refs, report.bankReference);
  const steps = (): readonly SettlementStep<Row>[] => {
    switch (effect) {
      case 'NOTHING':
      case 'AWAIT_STATEMENT':
        return [];
      case 'MARK_SENT':
        return [{ attempt: accepted(told, now), change: { ...taken(payment, report), refs } }];
      case 'COMPLETE':
      case 'COMPLETE_AND_AWAIT_STATEMENT':
        return [{ attempt: settled(told, now), change: { ...COMPLETED, finalDueAt, refs } }];
      case 'REJECT':
        return [{ attempt: rejected(told, now), change: { ...rejection(payment, report), refs } }];
      case 'ASK_FIRST':
        return [{ attempt: askedAtOnce(told, now), change: null }];
      case 'COMPLETE_AND_RETURN': {
        const paid = settled(told, now);
        return [
          { attempt: paid, change: { ...COMPLETED, finalDueAt, refs } },
          { attempt: returned(paid), change: { ...moneyBack(payment, report, source, now), refs } },
        ];
      }
      case 'RETURN':
        return [
          { attempt: returned(told), change: { ...moneyBack(payment, report, source, now), refs } },
        ];
      case 'LATE_RETURN': {
        const change = lateReturnTold(payment, attempt.reference);
        return change === null ? [] : [{ attempt, change: { ...change, refs } }];
      }
      case 'CONTRADICTION': {
        const change = contradiction(payment, attempt, report);
        return change === null ? [] : [{ attempt, change: { ...change, refs } }];
      }
      default:
        return assertNever(effect);
    }
  };
  return { effect, steps: steps() };
}

const SENT = {
  status: 'SENT',
  statusDetail: 'IN_RAIL',
  fundsStatus: 'IN_RAIL',
  hasOpenAttempt: true,
} as const satisfies PaymentChange;

/** A bank that has taken it on has it in its rail; the rail of a network may wait before it sends. */
function taken({ destination, status }: SettlingPayment, report: TransferReport): PaymentChange {
  const wait = destination.kind === 'BANK' ? null : waitOf(report);
  return wait === null ? SENT : waiting(wait, status === 'SENT');
}

const COMPLETED = {
  status: 'COMPLETED',
  statusDetail: 'DELIVERED',
  fundsStatus: 'DELIVERED',
  hasOpenAttempt: false,
  movements: [{ kind: 'SETTLE' }],
} as const satisfies PaymentChange;

const accepted = <Row extends Attempt>(attempt: Row, now: Date): Row => ({
  ...attempt,
  phase: 'ACCEPTED',
  unknownSince: null,
  askBaseAt: now,
  missingCount: 0,
});

const settled = <Row extends Attempt>(attempt: Row, now: Date): Row => ({
  ...attempt,
  phase: 'SETTLED',
  nextAskAt: null,
  unknownSince: null,
  settledAt: now,
});

const rejected = <Row extends Attempt>(attempt: Row, now: Date): Row => ({
  ...attempt,
  phase: 'REJECTED',
  nextAskAt: null,
  unknownSince: null,
  askBaseAt: now,
  isRejectionConfirmed: false,
});

const returned = <Row extends Attempt>(attempt: Row): Row => ({ ...attempt, phase: 'RETURNED' });

/** Still open: what was thought not to have left may have, and the next thing is a question. */
const askedAtOnce = <Row extends Attempt>(attempt: Row, now: Date): Row => ({
  ...(attempt.phase === 'READY' ? attemptRestored(attempt, now) : attempt),
  ...(attempt.phase === 'NOT_SENT' ? { phase: 'UNKNOWN', unknownSince: now, askBaseAt: now } : {}),
  // The bank speaks of the reference: it has seen it.
  missingCount: 0,
  nextAskAt: now,
});

function rejection(payment: SettlingPayment, report: TransferReport): PaymentChange {
  const rejections = payment.rejections + 1;
  const closed = { hasOpenAttempt: false, rejections } as const;
  if (isRetryableReason(report.reason)) {
    const isOver = rejections >= FRUITLESS_SENDS_MAX;
    return {
      ...closed,
      // SENT cannot go back to PROCESSING: it waits ON_HOLD until the next attempt is claimed.
      status: isOver || payment.status === 'SENT' ? 'ON_HOLD' : payment.status,
      statusDetail: isOver ? 'SETTLEMENT_FAILED' : 'RETRYING',
      fundsStatus: 'HELD',
    };
  }
  if (payment.reconciliationStatus === 'EXCEPTION') {
    // The bank said of another attempt that it was paid: funds given back now might be paid out twice.
    return { ...closed, status: 'ON_HOLD', statusDetail: 'STALLED', fundsStatus: 'UNKNOWN' };
  }
  return {
    ...closed,
    status: 'FAILED',
    statusDetail:
      payment.destination.kind === 'BANK' ? 'REJECTED_BY_BANK' : failedOnChain(report.reason),
    fundsStatus: 'BACK_IN_BALANCE',
    failure: reasonOf(report.reason, 'REJECTED'),
    movements: [{ kind: 'RELEASE' }],
  };
}

function moneyBack(
  payment: SettlingPayment,
  report: TransferReport,
  source: ReportSource,
  now: Date,
): PaymentChange {
  const stated = report.returnedAmount ?? payment.amount;
  // A bank that returns more than it was sent is not believed beyond what it was sent.
  const cameBack = stated > payment.amount ? payment.amount : stated;
  return {
    status: 'RETURNED',
    statusDetail: 'RETURNED_BY_BANK',
    fundsStatus: 'BACK_IN_BALANCE',
    hasOpenAttempt: false,
    returnInfo: {
      ...returnReason(report.reason),
      amount: cameBack.toString(),
      fee: (payment.amount - cameBack).toString(),
      at: now.toISOString(),
    },
    // Told before any statement shows it: what is credited now is not reconciled yet.
    ...(source.kind !== 'STATEMENT' && payment.reconciliationStatus === 'RECONCILED'
      ? { reconciliationStatus: 'PENDING' }
      : {}),
    movements: [{ kind: 'RETURN', amount: cameBack }],
  };
}

/** Null where the payment says so already. */
function contradiction(
  payment: SettlingPayment,
  attempt: Attempt,
  report: TransferReport,
): PaymentChange | null {
  const evidence = {
    kind: 'CONTRADICTION',
    reference: attempt.reference,
    known: attempt.phase,
    said: report.status,
  };
  // Field by field: PostgreSQL gives jsonb back with its keys in an order of its own.
  const known = payment.reconciliationEvidence ?? {};
  const isKnown = Object.entries(evidence).every(([name, value]) => known[name] === value);
  if (isKnown && payment.reconciliationStatus === 'EXCEPTION') return null;
  const before =
    known['kind'] === 'CONTRADICTION' ? known['before'] : payment.reconciliationEvidence;
  // What lies in suspense, and the return that was seen, stay in sight; one step back is enough.
  const { suspense, return: seen } = known;
  return {
    reconciliationStatus: 'EXCEPTION',
    reconciliationEvidence: {
      ...evidence,
      ...(suspense === undefined ? {} : { suspense }),
      ...(seen === undefined ? {} : { return: seen }),
      ...(before === null || before === undefined ? {} : { before }),
    },
  };
}

function withBankReference(
  refs: readonly PaymentReference[],
  value: string | null,
): readonly PaymentReference[] {
  if (value === null || refs.some((ref) => ref.value === value)) return refs;
  return [...refs, { type: 'BANK_REFERENCE', value }];
}
