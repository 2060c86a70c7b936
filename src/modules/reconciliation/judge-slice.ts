import type { Database } from '../../db/client/database.ts';
import {
  readUnjudgedLines,
  saveJudgedLines,
  type JudgedLine,
  type UnjudgedLine,
} from '../../db/reconciliation/statement-line-store.ts';
import { saveRepeatedLines } from '../../db/reconciliation/repeated-line-store.ts';
import {
  findCandidates,
  lockJudging,
  type CandidateRow,
} from '../../db/reconciliation/statement-match-store.ts';
import type { StatementRow } from '../../db/reconciliation/statement-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { AttemptPhase } from '../../domain/payments/attempt.ts';
import type { PaymentStatus } from '../../domain/payments/payment-states.ts';
import {
  matchLines,
  type LineOutcome,
  type MatchCandidate,
  type MatchLine,
} from '../../domain/reconciliation/match-lines.ts';
import { countLines } from './count-lines.ts';

const SLICE_LINES = 5_000;

/**
 * Decides what the next lines of a statement are, in one transaction and one statement of a bank at a
 * time: a judged line counts for every later statement, so a payment is never taken as paid by two.
 * Lines of the same statement are netted first, those of later slices too. What follows for the
 * payments is applied afterwards, as often as it takes. Answers how many lines it judged.
 */
export function judgeSlice(
  deps: { readonly db: Database; readonly clock: Clock },
  statement: StatementRow,
): Promise<number> {
  return deps.db.system(async (tx) => {
    await lockJudging(tx, statement);
    const lines = await readUnjudgedLines(tx, statement.id, SLICE_LINES);
    if (lines.length === 0) return 0;
    const references = new Set(lines.flatMap((line) => line.reference?.toUpperCase() ?? []));
    const rows = await findCandidates(tx, statement.environment, [...references]);
    const candidates = rows.map(toCandidate);
    const { booked, repeated } = await countLines(tx, statement, candidates);
    const outcomes = matchLines(lines.map(toMatchLine), candidates, booked);
    const byReference = new Map(rows.map((row) => [row.reference, row]));
    const judged = lines.map((line, index) =>
      toJudgedLine(line, outcomes[index], byReference.get(line.reference?.toUpperCase() ?? '')),
    );
    await saveJudgedLines(tx, statement.id, judged, deps.clock.now());
    const repeating = lines.flatMap(({ line }) => {
      const repeats = repeated.get(line);
      return repeats === undefined ? [] : [{ line, repeats }];
    });
    await saveRepeatedLines(tx, statement.id, repeating);
    return lines.length;
  });
}

const toMatchLine = (line: UnjudgedLine): MatchLine => ({
  lineNumber: line.line,
  reference: line.reference,
  amount: line.amount,
  currency: line.currency,
  direction: line.direction,
  isReversal: line.isReversal,
  isReturn: line.isReturn,
  status: line.booked ? 'BOOK' : 'PDNG',
});

const toCandidate = (row: CandidateRow): MatchCandidate => ({
  paymentId: row.paymentId,
  reference: row.reference,
  minor: row.amount,
  currency: row.currency,
  attempt: ATTEMPTS[row.phase],
  areFundsReleased: RELEASED.has(row.status),
});

const ATTEMPTS: Readonly<Record<AttemptPhase, MatchCandidate['attempt']>> = {
  READY: 'NEVER_SENT',
  NOT_SENT: 'NEVER_SENT',
  SENDING: 'OPEN',
  UNKNOWN: 'OPEN',
  ACCEPTED: 'OPEN',
  SETTLED: 'SETTLED',
  RETURNED: 'SETTLED',
  REJECTED: 'DEAD',
};

const RELEASED: ReadonlySet<PaymentStatus> = new Set(['FAILED', 'CANCELED', 'EXPIRED']);

function toJudgedLine(
  line: UnjudgedLine,
  outcome: LineOutcome | undefined,
  candidate: CandidateRow | undefined,
): JudgedLine {
  if (outcome?.lineNumber !== line.line) throw new Error('a line was left without an outcome');
  const concerns = 'paymentId' in outcome && outcome.paymentId !== null;
  const crediting = creditingOutcome(line, outcome);
  if (line.unproven && (crediting === 'CREDIT' || outcome.kind === 'RETURN')) {
    return unprovenLine(line);
  }
  return {
    line: line.line,
    outcome: crediting ?? outcome.kind,
    exception: outcome.kind === 'EXCEPTION' && crediting === null ? outcome.exception : null,
    customerId: concerns ? (candidate?.customerId ?? null) : null,
    paymentId: concerns ? (candidate?.paymentId ?? null) : null,
    countsForPayment:
      concerns &&
      candidate !== undefined &&
      ATTEMPTS[candidate.phase] !== 'NEVER_SENT' &&
      outcome.kind !== 'REPEATED',
  };
}

/** It credits nobody, and tells its payment nothing, until operators accept the sums: then it is judged anew. */
const unprovenLine = ({ line }: UnjudgedLine): JudgedLine => ({
  ...{ line, outcome: 'EXCEPTION', exception: 'UNPROVEN_SUM' },
  ...{ customerId: null, paymentId: null, countsForPayment: false },
});

/**
 * Money that came in and is no payment's, marked as a return or not, or that the bank took back, is looked at after
 * the payments: what it is none of either is the exception then that it would be here.
 */
function creditingOutcome(
  { direction, isReturn }: UnjudgedLine,
  outcome: LineOutcome,
): 'CREDIT' | 'CREDIT_REVERSAL' | null {
  if (outcome.kind !== 'EXCEPTION' || outcome.paymentId !== null) return null;
  if (direction === 'CRDT') return 'CREDIT';
  return isReturn ? 'CREDIT_REVERSAL' : null;
}
