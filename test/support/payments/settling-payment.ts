import {
  attemptClaimed,
  readyAttempt,
  type Attempt,
} from '../../../src/domain/payments/attempt.ts';
import { finalityAfter } from '../../../src/domain/payments/finality.ts';
import type { SettlingPayment } from '../../../src/domain/payments/payment.ts';
import { isLegalMove } from '../../../src/domain/payments/payment-states.ts';
import type { SettlementDecision } from '../../../src/domain/payments/settle-by-report.ts';
import type { SettlementTiming } from '../../../src/domain/payments/settlement-timing.ts';
import type { TransferReport } from '../../../src/domain/payments/transfer-report.ts';

export const TIMING: SettlementTiming = {
  bankTimeoutMs: 2_000,
  attemptDeadlineMs: 3_000,
  askFirstMs: 1_000,
  askMaxMs: 10_000,
  missingAfterMs: 2_000,
  stalledAfterMs: 30_000,
  retryFirstMs: 1_000,
  retryMaxMs: 10_000,
  holdCheckMs: 10_000,
};

export const NOW = new Date('2026-09-29T12:00:00.000Z');
export const at = (offsetMs: number): Date => new Date(NOW.getTime() + offsetMs);

/** A payment of 10.00 with one attempt under way, and the money that moved so far. */
export interface Standing {
  readonly payment: SettlingPayment;
  readonly attempt: Attempt;
  readonly moved: readonly string[];
}

export const PAYMENT: SettlingPayment = {
  status: 'PROCESSING',
  statusDetail: 'SUBMITTING',
  fundsStatus: 'HELD',
  failure: null,
  returnInfo: null,
  reconciliationStatus: 'PENDING',
  reconciliationEvidence: null,
  refs: [],
  rejections: 0,
  hasOpenAttempt: true,
  amount: 1_000n,
  destination: { kind: 'BANK' },
  funding: null,
  finality: 'NONE',
  releaseAt: null,
  heldSince: null,
  updatedAt: NOW,
};

export function standing(
  more: { readonly payment?: Partial<SettlingPayment>; readonly attempt?: Partial<Attempt> } = {},
): Standing {
  return {
    payment: { ...PAYMENT, ...more.payment },
    attempt: { ...attemptClaimed(readyAttempt('CWSAMPLE01', NOW), NOW, TIMING), ...more.attempt },
    moved: [],
  };
}

/** The end of the return window in tests of rules: an hour after completion. */
export const FINAL_DUE_AT = at(3_600_000);

export const report = (
  status: TransferReport['status'],
  more: Partial<TransferReport> = {},
): TransferReport => ({
  ...{ status, bankReference: null, returnedAmount: null, at: null },
  reason: status === 'REJECTED' || status === 'RETURNED' ? 'AC04' : null,
  ...more,
});

/** What use cases do with a decision. Throws where the state table has no such move. */
export function carryOut(before: Standing, decision: SettlementDecision<Attempt>): Standing {
  let { payment, attempt } = before;
  const moved = [...before.moved];
  for (const step of decision.steps) {
    attempt = step.attempt;
    const { movements = [], finalDueAt, becomesFinal, ...patch } = step.change ?? {};
    const status = patch.status ?? payment.status;
    if (status !== payment.status && !isLegalMove(payment.status, status)) {
      throw new Error(`no move from ${payment.status} to ${status}`);
    }
    const due = { finality: payment.finality, finalAt: null, finalDueAt: null };
    const known = { ...(finalDueAt && { finalDueAt }), ...(becomesFinal && { becomesFinal }) };
    const { finality } = finalityAfter(due, status, known, NOW);
    payment = { ...payment, ...patch, finality };
    moved.push(...movements.map(({ kind }) => kind));
  }
  return { payment, attempt, moved };
}
