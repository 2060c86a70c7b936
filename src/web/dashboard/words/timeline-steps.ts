import type { TimelineRow, WaitsFor } from '../../../modules/payments/timeline-row.ts';
import type { TimelineStep } from '../../kit/parts/timeline.tsx';
import type { TimeText } from '../../kit/time-text.ts';
import { statusWords } from '../../kit/words/payment-status.ts';
import { detailWords } from './payment-words.ts';

const WAITS: Readonly<Record<WaitsFor, string>> = {
  US: 'happens automatically',
  RAIL: 'when the rail opens',
  BANK: 'waits for the bank',
  NETWORK: 'waits for the network',
  PARTNER: 'waits for you',
  OPERATOR: 'waits for the operator',
};

/** A payment's timeline for people: what was, what is, and what comes next and by when. */
export function timelineSteps(rows: readonly TimelineRow[], times: TimeText): TimelineStep[] {
  const done = rows.filter(({ expected }) => !expected);
  const isMoving = done.length < rows.length;
  const first = new Date(done[0]?.at ?? 0);
  return rows.map((row, index) => {
    const at = row.at === null ? null : new Date(row.at);
    const before = rows[index - 1]?.at ?? null;
    const isNow = isMoving && index === done.length - 1;
    return {
      state: row.expected ? 'next' : isNow ? 'now' : 'done',
      title: titleOf(row, rows[index - 1]),
      detail: row.expected ? WAITS[row.waitsFor ?? 'US'] : detailWords(row.statusDetail),
      time: row.expected ? expectedText(at, first, times) : doneText(row, at, before, first, times),
    };
  });
}

/** What is new in a step: its status, or what a statement or time said of it. */
function titleOf(row: TimelineRow, before: TimelineRow | undefined): string {
  if (before === undefined) return 'Accepted';
  if (row.statusDetail === 'REQUOTED') return 'Priced anew';
  if (row.status === before.status) {
    const isConfirmed = row.reconciliationStatus !== before.reconciliationStatus;
    if (isConfirmed && row.reconciliationStatus === 'RECONCILED') return 'On the bank’s statement';
    if (isConfirmed) return 'The bank’s statement contradicts it';
    if (row.finality !== before.finality) return 'Final';
    if (row.statusDetail === 'SUBMITTING') return 'Sent to the bank';
  }
  return statusWords(row.status).text;
}

function expectedText(at: Date | null, first: Date, times: TimeText): string {
  if (at === null) return 'time not known';
  return `expected by ${times.clock(at, first).slice(0, -'.000'.length)}`;
}

function doneText(
  row: TimelineRow,
  at: Date | null,
  before: string | null,
  first: Date,
  times: TimeText,
): string {
  if (at === null) return '';
  const version = row.version === null ? [] : [`v${String(row.version)}`];
  const time = before === null ? times.moment(at) : times.clock(at, first);
  return [time, ...version, ...(before === null ? [] : [since(new Date(before), at)])].join(' · ');
}

/** "+0.2 s", "+3 min", "+2 h", "+4 d". */
function since(before: Date, at: Date): string {
  const ms = Math.max(at.getTime() - before.getTime(), 0);
  if (ms < 60_000) {
    const tenths = Math.round(ms / 100);
    return `+${String(Math.floor(tenths / 10))}.${String(tenths % 10)} s`;
  }
  if (ms < 3_600_000) return `+${String(Math.round(ms / 60_000))} min`;
  if (ms < 86_400_000) return `+${String(Math.round(ms / 3_600_000))} h`;
  return `+${String(Math.round(ms / 86_400_000))} d`;
}
