import {
  lineKindOf,
  matchLines,
  type LineOutcome,
  type MatchCandidate,
  type MatchLine,
  type PaymentLines,
} from '../../../src/domain/reconciliation/match-lines.ts';
import {
  NO_LINES,
  NOTHING_BEFORE,
  type BookedBefore,
  type LineCounts,
} from '../../../src/domain/reconciliation/net-lines.ts';

function countKinds(
  lines: readonly MatchLine[],
  candidates: readonly MatchCandidate[],
): ReadonlyMap<string, LineCounts> {
  const named = new Map(candidates.map((found) => [found.reference.toUpperCase(), found]));
  const counts = new Map<string, LineCounts>();
  for (const line of lines) {
    const owner = named.get(line.reference?.toUpperCase() ?? '');
    if (owner === undefined || owner.attempt === 'NEVER_SENT' || line.status !== 'BOOK') continue;
    if (line.direction === 'CRDT' && !line.isReturn) continue;
    const known = counts.get(owner.paymentId) ?? NO_LINES;
    const kind = lineKindOf(line, owner);
    counts.set(owner.paymentId, { ...known, [kind]: known[kind] + 1 });
  }
  return counts;
}

/** Matches a whole statement in slices, counting before each what SQL counts. */
export function matchInSlices(
  lines: readonly MatchLine[],
  candidates: readonly MatchCandidate[],
  size = Infinity,
  before: BookedBefore = NOTHING_BEFORE,
): LineOutcome[] {
  const whole = countKinds(lines, candidates);
  const outcomes: LineOutcome[] = [];
  for (let start = 0; start < lines.length; start += size) {
    const judged = countKinds(lines.slice(0, start), candidates);
    const booked = new Map(
      candidates.map(({ paymentId }): [string, PaymentLines] => [
        paymentId,
        {
          before,
          statement: whole.get(paymentId) ?? NO_LINES,
          judged: judged.get(paymentId) ?? NO_LINES,
        },
      ]),
    );
    outcomes.push(...matchLines(lines.slice(start, start + size), candidates, booked));
  }
  return outcomes;
}
