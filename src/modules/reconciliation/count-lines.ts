import type { SystemTransaction } from '../../db/client/database.ts';
import {
  countBookedBefore,
  countStatementLines,
} from '../../db/reconciliation/statement-count-store.ts';
import { readLinesBefore, readLinesNaming } from '../../db/reconciliation/repeated-line-store.ts';
import type { StatementRow } from '../../db/reconciliation/statement-store.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import { minorDigits } from '../../domain/money/currencies.ts';
import {
  isDead,
  lineKindOf,
  type MatchCandidate,
  type MatchLine,
  type PaymentLines,
} from '../../domain/reconciliation/match-lines.ts';
import { NO_LINES, NOTHING_BEFORE } from '../../domain/reconciliation/net-lines.ts';
import {
  findRepeatedLines,
  type LinePlace,
  type PaymentLine,
} from '../../domain/reconciliation/repeated-lines.ts';

interface Counted {
  readonly booked: ReadonlyMap<string, PaymentLines>;
  /** By number: the line of another statement that a line of this one repeats. */
  readonly repeated: ReadonlyMap<number, LinePlace>;
}

/** Counts what the statement and others say of each payment, in flat memory. */
export async function countLines(
  tx: SystemTransaction,
  statement: StatementRow,
  candidates: readonly MatchCandidate[],
): Promise<Counted> {
  const sent = candidates.filter(({ attempt }) => attempt !== 'NEVER_SENT');
  const attempts = sent.map((candidate) => ({
    paymentId: candidate.paymentId,
    reference: candidate.reference,
    amount: formatAmount(candidate.minor, candidate.currency),
    currency: candidate.currency,
    minorDigits: minorDigits(candidate.currency),
    isDead: isDead(candidate),
  }));
  const paymentIds = [...new Set(sent.map(({ paymentId }) => paymentId))];
  const before = await countBookedBefore(tx, statement, paymentIds);
  const found = new Map<string, PaymentLines>(
    paymentIds.map((paymentId) => [
      paymentId,
      {
        before: before.get(paymentId) ?? NOTHING_BEFORE,
        statement: NO_LINES,
        judged: NO_LINES,
      },
    ]),
  );
  for (const row of await countStatementLines(tx, statement.id, attempts)) {
    const known = found.get(row.paymentId);
    if (known === undefined) throw new Error('lines of a payment that was not asked for');
    const { kind, isJudged } = row;
    const count = Number(row.count);
    const add = (counts: PaymentLines['statement']) => ({
      ...counts,
      [kind]: counts[kind] + count,
    });
    found.set(row.paymentId, {
      ...known,
      statement: add(known.statement),
      judged: isJudged ? add(known.judged) : known.judged,
    });
  }
  return leaveOutRepeated(tx, statement, sent, found, [...before.keys()]);
}

/** A payment that no other statement shows repeats nothing. */
async function leaveOutRepeated(
  tx: SystemTransaction,
  statement: StatementRow,
  sent: readonly MatchCandidate[],
  found: ReadonlyMap<string, PaymentLines>,
  shownBefore: readonly string[],
): Promise<Counted> {
  if (shownBefore.length === 0) return { booked: found, repeated: new Map() };
  const known = new Set(shownBefore);
  const attempts = sent.filter(({ paymentId }) => known.has(paymentId));
  const byReference = new Map(attempts.map((attempt) => [attempt.reference, attempt]));
  const lines = await readLinesNaming(tx, statement.id, attempts);
  const before = await readLinesBefore(tx, statement, shownBefore);
  const booked = new Map(found);
  const repeated = new Map<number, LinePlace>();
  const [own, shown] = [groupBy(lines, paymentOf), groupBy(before, paymentOf)];
  for (const paymentId of shownBefore) {
    const counts = found.get(paymentId);
    if (counts === undefined) continue;
    const ownLines = own.get(paymentId) ?? [];
    const places = findRepeatedLines(ownLines, shown.get(paymentId) ?? []);
    const left = { statement: { ...counts.statement }, judged: { ...counts.judged } };
    for (const line of ownLines) {
      const place = places.get(line.line);
      const attempt = byReference.get(line.reference);
      if (place === undefined || attempt === undefined) continue;
      repeated.set(line.line, place);
      const kind = lineKindOf(toMatchLine(line), attempt);
      left.statement[kind] -= 1;
      if (line.isJudged) left.judged[kind] -= 1;
    }
    booked.set(paymentId, { ...counts, ...left, repeated: new Set(places.keys()) });
  }
  return { booked, repeated };
}

const paymentOf = ({ paymentId }: PaymentLine): string => paymentId;

const toMatchLine = ({ line, ...rest }: PaymentLine): MatchLine => ({
  ...rest,
  lineNumber: line,
  isReturn: rest.direction === 'CRDT',
  status: 'BOOK',
});
