import type { ScopedTransaction } from '../db/database.ts';
import type { PaymentReference, PaymentRow } from '../db/payment-store.ts';
import { updateAttempt, type AttemptRow } from '../db/settlement-attempt-store.ts';
import { assertNever } from '../domain/assert-never.ts';
import {
  isRetryableReason,
  judgeTransferReport,
  type TransferReport,
  type ReportEffect,
} from '../domain/payments/transfer-report.ts';
import { FRUITLESS_SENDS_MAX } from '../domain/payments/settlement-timing.ts';
import type { Scope } from '../domain/scope.ts';
import { changePayment } from './change-payment.ts';

export interface Judged {
  readonly payment: PaymentRow;
  readonly attempt: AttemptRow;
  readonly effect: ReportEffect;
}

/**
 * Applies one word of the bank about one attempt of a locked payment, whichever way it came. Saying
 * the same twice, late or out of order has no second effect; a word against what is final changes
 * only the reconciliation status, for a human to look at.
 */
export async function applyReport(
  tx: ScopedTransaction,
  scope: Scope,
  known: { readonly payment: PaymentRow; readonly attempt: AttemptRow },
  word: TransferReport,
  actor: string,
  now: Date,
): Promise<Judged> {
  const { payment, attempt } = known;
  const effect = judgeTransferReport(
    {
      payment: payment.status,
      phase: attempt.phase,
      hasOpenAttempt: payment.hasOpenAttempt,
      isAnswer: actor === 'bank-asked',
    },
    word.status,
  );
  const told: AttemptRow = {
    ...attempt,
    bankReference: word.bankReference ?? attempt.bankReference,
    reason: word.reason ?? attempt.reason,
    lastAnswer: word.status,
  };
  const refs = withBankReference(payment.refs, word.bankReference);
  const change = (patch: Omit<Parameters<typeof changePayment>[3], 'actor'>) =>
    changePayment(tx, scope, payment, { refs, ...patch, actor }, now);
  const settle = (phase: AttemptRow['phase'], extra: Partial<AttemptRow> = {}) =>
    save(tx, scope, { ...told, phase, nextAskAt: null, unknownSince: null, ...extra }, now);

  switch (effect) {
    case 'NOTHING':
      return { payment, attempt, effect };
    case 'MARK_SENT':
      return {
        attempt: await save(tx, scope, accepted(told, now), now),
        payment: await change({
          status: 'SENT',
          statusDetail: 'IN_RAIL',
          fundsStatus: 'IN_RAIL',
          hasOpenAttempt: true,
        }),
        effect,
      };
    case 'COMPLETE':
      return {
        attempt: await settle('SETTLED', { settledAt: now }),
        payment: await change({
          status: 'COMPLETED',
          statusDetail: 'DELIVERED',
          fundsStatus: 'DELIVERED',
          hasOpenAttempt: false,
          postings: [{ kind: 'SETTLE' }],
        }),
        effect,
      };
    case 'REJECT': {
      const rejected = await settle('REJECTED', { askBaseAt: now, isRejectionConfirmed: false });
      return { attempt: rejected, payment: await reject(payment, word, change), effect };
    }
    case 'COMPLETE_AND_RETURN': {
      const settled = await settle('SETTLED', { settledAt: now });
      const completed = await change({
        status: 'COMPLETED',
        statusDetail: 'DELIVERED',
        fundsStatus: 'DELIVERED',
        hasOpenAttempt: false,
        postings: [{ kind: 'SETTLE' }],
      });
      return giveBack(tx, scope, { payment: completed, attempt: settled }, word, actor, now);
    }
    case 'RETURN':
      return giveBack(tx, scope, { payment, attempt: told }, word, actor, now);
    case 'CONTRADICTION':
      return {
        payment: await recordContradiction(payment, attempt, word, change),
        attempt,
        effect,
      };
    default:
      return assertNever(effect);
  }
}

type Change = (patch: Omit<Parameters<typeof changePayment>[3], 'actor'>) => Promise<PaymentRow>;

function reject(payment: PaymentRow, word: TransferReport, change: Change): Promise<PaymentRow> {
  const rejections = payment.rejections + 1;
  if (isRetryableReason(word.reason)) {
    const isOver = rejections >= FRUITLESS_SENDS_MAX;
    return change({
      // SENT cannot go back to PROCESSING: it waits ON_HOLD until the next attempt is claimed.
      status: isOver || payment.status === 'SENT' ? 'ON_HOLD' : payment.status,
      statusDetail: isOver ? 'SETTLEMENT_FAILED' : 'RETRYING',
      fundsStatus: 'HELD',
      hasOpenAttempt: false,
      rejections,
    });
  }
  if (payment.reconciliationStatus === 'EXCEPTION') {
    // It said of another attempt that it was paid: funds given back now might be paid out twice.
    return change({
      status: 'ON_HOLD',
      statusDetail: 'STALLED',
      fundsStatus: 'UNKNOWN',
      hasOpenAttempt: false,
      rejections,
    });
  }
  return change({
    status: 'FAILED',
    statusDetail: 'REJECTED_BY_BANK',
    fundsStatus: 'BACK_IN_BALANCE',
    hasOpenAttempt: false,
    rejections,
    failure: {
      code: (word.reason ?? 'UNSPECIFIED').toLowerCase(),
      category: 'BANK_REJECTED',
      message: 'The bank rejected the payment; the funds are back in the balance.',
      retryable: false,
      railCode: word.reason,
    },
    postings: [{ kind: 'RELEASE' }],
  });
}

async function giveBack(
  tx: ScopedTransaction,
  scope: Scope,
  known: { readonly payment: PaymentRow; readonly attempt: AttemptRow },
  word: TransferReport,
  actor: string,
  now: Date,
): Promise<Judged> {
  const { payment } = known;
  const stated = word.returnedAmount ?? payment.amount;
  // A bank that returns more than it was sent is not believed beyond what it was sent.
  const cameBack = stated > payment.amount ? payment.amount : stated;
  const attempt = await save(tx, scope, { ...known.attempt, phase: 'RETURNED' }, now);
  const returned = await changePayment(
    tx,
    scope,
    payment,
    {
      status: 'RETURNED',
      statusDetail: 'RETURNED_BY_BANK',
      fundsStatus: 'BACK_IN_BALANCE',
      hasOpenAttempt: false,
      returnInfo: {
        reason: word.reason,
        amount: cameBack.toString(),
        fee: (payment.amount - cameBack).toString(),
        at: now.toISOString(),
      },
      postings: [{ kind: 'RETURN', amount: cameBack }],
      actor,
    },
    now,
  );
  return { payment: returned, attempt, effect: 'RETURN' };
}

async function recordContradiction(
  payment: PaymentRow,
  attempt: AttemptRow,
  word: TransferReport,
  change: Change,
): Promise<PaymentRow> {
  const evidence = {
    kind: 'CONTRADICTION',
    reference: attempt.reference,
    known: attempt.phase,
    said: word.status,
  };
  // Field by field: PostgreSQL gives jsonb back with its keys in an order of its own.
  const known = payment.reconciliationEvidence ?? {};
  const isKnown = Object.entries(evidence).every(([name, value]) => known[name] === value);
  if (isKnown && payment.reconciliationStatus === 'EXCEPTION') return payment;
  return change({ reconciliationStatus: 'EXCEPTION', reconciliationEvidence: evidence });
}

const accepted = (attempt: AttemptRow, now: Date): AttemptRow => ({
  ...attempt,
  phase: 'ACCEPTED',
  unknownSince: null,
  askBaseAt: now,
  missingCount: 0,
});

async function save(
  tx: ScopedTransaction,
  scope: Scope,
  attempt: AttemptRow,
  now: Date,
): Promise<AttemptRow> {
  await updateAttempt(tx, scope, attempt, now);
  return attempt;
}

function withBankReference(
  refs: readonly PaymentReference[],
  value: string | null,
): readonly PaymentReference[] {
  if (value === null || refs.some((ref) => ref.value === value)) return refs;
  return [...refs, { type: 'BANK_REFERENCE', value }];
}
