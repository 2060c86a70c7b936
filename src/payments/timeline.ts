import type { HistoryRow } from '../db/payment-history-store.ts';
import type { PaymentRow } from '../db/payment-store.ts';
import type { AttemptRow } from '../db/settlement-attempt-store.ts';
import { isFinal } from '../domain/payments/payment-states.ts';
import { openAttemptOf } from '../domain/payments/attempt.ts';

export interface TimelineRow {
  readonly at: string | null;
  readonly status: string;
  readonly statusDetail: string;
  readonly fundsStatus: string;
  readonly reconciliationStatus: string;
  readonly version: number | null;
  readonly expected: boolean;
}

/** What happened to a payment, oldest first, and behind it what is expected next, and when. */
export function timelineOf(
  payment: PaymentRow,
  history: readonly HistoryRow[],
  attempts: readonly AttemptRow[],
): TimelineRow[] {
  const done = history.map((row) => ({
    at: row.at.toISOString(),
    status: row.status,
    statusDetail: row.statusDetail,
    fundsStatus: row.fundsStatus,
    reconciliationStatus: row.reconciliationStatus,
    version: row.version,
    expected: false,
  }));
  const sent = firstSend(history, attempts);
  if (sent !== null) {
    // It began with what was queued, whatever the clocks of two processes say.
    const behind = done.findIndex(
      ({ at, statusDetail }) => statusDetail !== 'QUEUED' && at >= sent.at,
    );
    done.splice(behind < 0 ? done.length : behind, 0, sent);
  }
  const next = expectedNext(payment, openAttemptOf(attempts));
  return next === null ? done : [...done, { ...next, version: null, expected: true }];
}

/** The first send is no version of a payment that was queued: only its attempt tells of it. */
function firstSend(history: readonly HistoryRow[], [first]: readonly AttemptRow[]) {
  const sentAt = first?.firstSentAt ?? null;
  const isVersion = history.some(({ statusDetail, at }) => {
    return statusDetail === 'SUBMITTING' && at.getTime() === sentAt?.getTime();
  });
  if (sentAt === null || isVersion) return null;
  return {
    at: sentAt.toISOString(),
    status: 'PROCESSING',
    statusDetail: 'SUBMITTING',
    fundsStatus: 'HELD',
    reconciliationStatus: 'PENDING',
    version: 1,
    expected: false,
  } as const;
}

function expectedNext(
  payment: PaymentRow,
  attempt: AttemptRow | null,
): Omit<TimelineRow, 'version' | 'expected'> | null {
  const { status, statusDetail, fundsStatus, reconciliationStatus } = payment;
  const now = { at: null, status, statusDetail, fundsStatus, reconciliationStatus };
  if (isFinal(status)) return null;
  if (status === 'COMPLETED') {
    return reconciliationStatus === 'PENDING'
      ? { ...now, reconciliationStatus: 'RECONCILED' }
      : null;
  }
  // Unknown or held: the next thing that happens is a look at the bank, not an outcome.
  const at = attempt?.nextAskAt?.toISOString() ?? null;
  if (status === 'ON_HOLD') return { ...now, at, status: 'PROCESSING', statusDetail: 'RETRYING' };
  if (statusDetail === 'OUTCOME_UNKNOWN') return { ...now, at };
  return { ...now, status: 'COMPLETED', statusDetail: 'DELIVERED', fundsStatus: 'DELIVERED' };
}
