import type { HistoryRow } from '../../db/payments/payment-history-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import type { Finality } from '../../domain/payments/finality.ts';
import { isFinal, type PaymentStatus } from '../../domain/payments/payment-states.ts';
import { expectedSteps } from './expected-steps.ts';
import type { TimelineRow } from './timeline-row.ts';

/** What happened to a payment, oldest first, and behind it what is expected `now`, and when. */
export function timelineOf(
  payment: PaymentRow,
  history: readonly HistoryRow[],
  attempts: readonly AttemptRow[],
  now: Date,
): TimelineRow[] {
  const done = history.map((row) => ({
    at: row.at.toISOString(),
    status: row.status,
    statusDetail: row.statusDetail,
    fundsStatus: row.fundsStatus,
    reconciliationStatus: row.reconciliationStatus,
    finality: finalityAt(payment, row),
    version: row.version,
    ...DONE,
  }));
  const sent = firstSend(history, attempts);
  if (sent !== null) {
    // It began with what was queued, whatever the clocks of two processes say.
    const behind = done.findIndex(
      ({ at, statusDetail }) => statusDetail !== 'QUEUED' && at >= sent.at,
    );
    done.splice(behind < 0 ? done.length : behind, 0, sent);
  }
  return [...done, ...expectedSteps(payment, attempts, now)];
}

/** How final a version left its payment: history does not say, but the payment says since when it is. */
function finalityAt({ status, finality, finalAt }: PaymentRow, version: HistoryRow): Finality {
  if (version.status === 'COMPLETED') {
    const isSince = finalAt !== null && version.at >= finalAt;
    return status === 'COMPLETED' && finality === 'FINAL' && isSince ? 'FINAL' : 'PROVISIONAL';
  }
  return isFinal(version.status as PaymentStatus) ? 'FINAL' : 'NONE';
}

const DONE = { expected: false, waitsFor: null } as const;

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
    finality: 'NONE',
    version: 1,
    ...DONE,
  } as const;
}
