import { isGivenAgain } from '../db/credit-reversal-store.ts';
import { findReferenceOwners } from '../db/funding-reference-store.ts';
import type { CreditingLineRow } from '../db/crediting-line-store.ts';
import type { SystemTransaction } from '../db/database.ts';
import { takeIncomingCredit, type IncomingCreditRow } from '../db/incoming-credit-store.ts';
import { newId } from '../db/new-id.ts';
import type { StatementOrigin } from '../db/statement-store.ts';
import { judgeCredit } from '../domain/funding/judge-credit.ts';
import { ID_PREFIXES } from '../domain/ids.ts';
import { bookingOf } from './booking.ts';

/** A line and the credit that it shows, which an earlier line may have shown before. */
export interface TakenLine {
  readonly line: CreditingLineRow;
  readonly credit: IncomingCreditRow;
  /** The credit was seen before: by this line it would be another's, or be given again. */
  readonly isAnother: boolean;
}

/** Decides whose the credits of some lines are, and writes that down once for each booking. */
export async function takeCredits(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
  lines: readonly CreditingLineRow[],
  at: Date,
): Promise<TakenLine[]> {
  const references = new Set(lines.flatMap((line) => line.creditorReferences));
  const owners = await findReferenceOwners(tx, environment, [...references]);
  const taken: TakenLine[] = [];
  for (const line of lines) {
    const { statementId, bankReference, currency, amount, bookedAt } = line;
    const verdict = judgeCredit({ ...line, references: line.creditorReferences }, owners);
    const isMatched = verdict.kind === 'CREDIT';
    const credit = await takeIncomingCredit(tx, {
      id: newId(ID_PREFIXES.fundingCredit),
      ...{ environment, connector, ...bookingOf(line) },
      ...{ statementId, line: line.line, bankReference, currency, amount, bookedAt },
      minor: verdict.minor,
      reference: isMatched ? verdict.to.reference : null,
      receivedAt: at,
      unmatchedReason: isMatched ? null : verdict.reason,
      customerId: isMatched ? verdict.to.customerId : null,
      ledgerTransactionId: newId(ID_PREFIXES.ledgerTransaction),
    });
    const isFirst = credit.statementId === statementId && credit.line === line.line;
    const reference = isMatched ? verdict.to.reference : null;
    const isAnother =
      !isFirst && (reference !== credit.reference || (await isGivenAgain(tx, credit.id, line)));
    taken.push({ line, credit, isAnother });
  }
  return taken;
}
