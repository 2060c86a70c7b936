import type { LineToApply } from '../../db/reconciliation/statement-line-store.ts';
import type { StatementRow } from '../../db/reconciliation/statement-store.ts';

export type Evidence = Readonly<Record<string, unknown>>;

/** Where a human finds the line at the bank. */
export function lineEvidence(statement: StatementRow, line: LineToApply): Evidence {
  return {
    statementId: statement.bankStatementId,
    line: line.line,
    bankReference: line.bankReference,
    bookedAt: line.bookedAt?.toISOString() ?? null,
  };
}

/** Where the payout was seen, also where its return is missing since; null where it was not. */
export function payoutEvidence(known: Evidence | null): Evidence | null {
  const wasMissing = known?.['exception'] === 'MISSING_AT_BANK';
  const seen = wasMissing ? (known['before'] as Evidence | undefined) : known;
  return seen?.['line'] === undefined ? null : seen;
}

/** The evidence of a confirmed payout. A return that was seen before the payout stays with it. */
export function reconciledEvidence(known: Evidence | null, found: Evidence): Evidence {
  const seen = known?.['return'];
  return seen === undefined ? found : { ...found, return: seen };
}

/** What is wrong, and what was known to be right before. */
export function exceptionEvidence(
  known: Evidence | null,
  exception: string,
  found: Evidence,
): Evidence {
  const wasMissing = known?.['exception'] === 'MISSING_AT_BANK';
  return { exception, ...found, ...(known === null || wasMissing ? {} : { before: known }) };
}
