import { isGivenAgain } from '../../../db/ledger/credit-reversal-store.ts';
import type { CreditingLineRow } from '../../../db/ledger/crediting-line-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import {
  answerEarlyReversal,
  findEarlyReversal,
  lockCrediting,
  type EarlyReversalRow,
} from '../../../db/ledger/early-reversal-store.ts';
import { findReferenceOwners } from '../../../db/ledger/funding-reference-store.ts';
import {
  takeIncomingCredit,
  type IncomingCreditRow,
} from '../../../db/ledger/incoming-credit-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import type { StatementOrigin } from '../../../db/reconciliation/statement-store.ts';
import { judgeCredit, type CreditVerdict } from '../../../domain/ledger/funding/judge-credit.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { bookingOf } from './booking.ts';

/** A line and the credit that it shows, which an earlier line may have shown before. */
export interface TakenLine {
  readonly line: CreditingLineRow;
  readonly credit: IncomingCreditRow;
  /** The credit was seen before: by this line it would be another's, or be given again. */
  readonly isAnother: boolean;
}

/**
 * Decides whose the credits of some lines are, and writes that down once for each booking. One that the
 * bank took back on a statement that was looked at before is unmatched until operators looked.
 */
export async function takeCredits(
  tx: SystemTransaction,
  origin: StatementOrigin,
  lines: readonly CreditingLineRow[],
  at: Date,
): Promise<TakenLine[]> {
  await lockCrediting(tx, origin);
  const references = new Set(lines.flatMap((line) => line.creditorReferences));
  const owners = await findReferenceOwners(tx, origin.environment, [...references]);
  const taken: TakenLine[] = [];
  for (const line of lines) {
    const verdict = judgeCredit({ ...line, references: line.creditorReferences }, owners);
    const reversal = await earlyReversalOf(tx, origin, line, verdict);
    const credit = await takeCredit(tx, origin, line, {
      verdict:
        reversal === null
          ? verdict
          : { kind: 'UNMATCHED', minor: verdict.minor, reason: 'REVERSED_FIRST' },
      at,
    });
    const isFirst = credit.statementId === line.statementId && credit.line === line.line;
    if (isFirst && reversal !== null) await answerEarlyReversal(tx, reversal, credit.id);
    taken.push({ line, credit, isAnother: !isFirst && (await isOther(tx, line, verdict, credit)) });
  }
  return taken;
}

function takeCredit(
  tx: SystemTransaction,
  { environment, connector }: StatementOrigin,
  line: CreditingLineRow,
  { verdict, at }: { readonly verdict: CreditVerdict; readonly at: Date },
): Promise<IncomingCreditRow> {
  const { statementId, bankReference, currency, amount, bookedAt } = line;
  const isMatched = verdict.kind === 'CREDIT';
  return takeIncomingCredit(tx, {
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
}

async function earlyReversalOf(
  tx: SystemTransaction,
  origin: StatementOrigin,
  { currency, amount, bankReference, bookedAt }: CreditingLineRow,
  verdict: CreditVerdict,
): Promise<EarlyReversalRow | null> {
  if (verdict.kind !== 'CREDIT') return null;
  const { environment, connector } = origin;
  const credit = { currency, amount, bankReference, bookedAt, reference: verdict.to.reference };
  return findEarlyReversal(tx, { environment, connector, ...credit });
}

async function isOther(
  tx: SystemTransaction,
  line: CreditingLineRow,
  verdict: CreditVerdict,
  credit: IncomingCreditRow,
): Promise<boolean> {
  const reference = verdict.kind === 'CREDIT' ? verdict.to.reference : null;
  const isSame = reference === credit.reference || credit.unmatchedReason === 'REVERSED_FIRST';
  return !isSame || isGivenAgain(tx, credit.id, line);
}
