import type { SystemTransaction } from '../../db/client/database.ts';
import {
  countBookedBefore,
  countStatementLines,
} from '../../db/reconciliation/statement-count-store.ts';
import type { StatementRow } from '../../db/reconciliation/statement-store.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { minorDigits } from '../../domain/money/currencies.ts';
import {
  isDead,
  type MatchCandidate,
  type PaymentLines,
} from '../../domain/reconciliation/match-lines.ts';
import { NO_LINES, NOTHING_BEFORE } from '../../domain/reconciliation/net-lines.ts';

/** Counts what the statement and others say of each payment, in flat memory. */
export async function countLines(
  tx: SystemTransaction,
  statement: StatementRow,
  candidates: readonly MatchCandidate[],
): Promise<ReadonlyMap<string, PaymentLines>> {
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
  return found;
}
