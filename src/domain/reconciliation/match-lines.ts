import type { Direction, EntryStatus } from './statement-types.ts';
import { statementMinor } from './statement-amount.ts';

/** A line of a statement, as far as matching needs it. */
export interface MatchLine {
  lineNumber: number;
  /** EndToEndId; null where the bank gave none. */
  reference: string | null;
  /** As the bank wrote it. */
  amount: string;
  currency: string;
  /** The way money moved; of a reversal too (see `isReversal`). */
  direction: Direction;
  /** ISO 20022 RvslInd: undoes an entry of the other direction. A reversed debit is a CRDT. */
  isReversal: boolean;
  /** The bank marks it as a return or reversal. Without that a credit is a payment of a stranger. */
  isReturn: boolean;
  status: EntryStatus;
}

/** One attempt of a payment: the bank knows attempts, each by its own reference. */
export interface MatchCandidate {
  paymentId: string;
  reference: string;
  /** Minor units. */
  minor: bigint;
  currency: string;
  /**
   * What we know of the attempt. OPEN: sent, outcome unknown or pending; DEAD: the bank rejected it,
   * or somebody confirmed that it failed.
   */
  attempt: 'NEVER_SENT' | 'OPEN' | 'SETTLED' | 'DEAD';
  /** The payment is FAILED, CANCELED or EXPIRED: its money went back. Not for RETURNED. */
  areFundsReleased: boolean;
  /**
   * Booked lines of earlier slices and statements that named any attempt of this payment, by the way
   * the money moved, whatever their outcome was; but not those for attempts never sent.
   */
  debitsBooked: number;
  creditsBooked: number;
}

export type MatchException =
  'AMOUNT_MISMATCH' | 'UNEXPECTED_AT_BANK' | 'DUPLICATE_AT_BANK' | 'UNKNOWN_RETURN' | 'LATE';

export type LineOutcome = { lineNumber: number } & (
  | { kind: 'RECONCILED'; paymentId: string }
  /** Money came back: `minor` of it, which a bank's deduction may make less than was sent. */
  | { kind: 'RETURN'; paymentId: string; minor: bigint }
  | { kind: 'EXCEPTION'; exception: MatchException; paymentId: string | null }
  /** Moved no money: pending, informational, or zero without one of our references. */
  | { kind: 'IGNORED' }
);

interface Booked {
  debits: number;
  credits: number;
}

/**
 * Matches the lines of one slice, in their order, with the attempts that carry their references.
 * References are compared whole, without regard to case. Every line gets exactly one outcome.
 *
 * A payment is debited once and returned once, whichever of its attempts a line names: the first
 * line takes it, also where it is an exception, since that money did move; any further one is
 * DUPLICATE_AT_BANK, and so is the credit by which a bank corrects its double debit: the payment
 * itself stays paid.
 */
export function matchLines(
  lines: readonly MatchLine[],
  candidates: readonly MatchCandidate[],
): LineOutcome[] {
  const byReference = new Map(candidates.map((found) => [found.reference.toUpperCase(), found]));
  const bookedByPayment = new Map<string, Booked>();
  for (const { paymentId, debitsBooked, creditsBooked } of candidates) {
    bookedByPayment.set(paymentId, { debits: debitsBooked, credits: creditsBooked });
  }

  return lines.map((line): LineOutcome => {
    const { lineNumber } = line;
    if (line.status !== 'BOOK') return { lineNumber, kind: 'IGNORED' };
    const named = byReference.get(line.reference?.toUpperCase() ?? '');
    const candidate = isFromStranger(line) ? undefined : named;
    const booked = candidate && bookedByPayment.get(candidate.paymentId);
    if (candidate === undefined || booked === undefined) return judgeForeign(line);
    const verdict =
      line.direction === 'DBIT'
        ? judgeDebit(line, candidate, booked)
        : judgeCredit(line, candidate, booked);
    if (verdict === 'RECONCILED') {
      return { lineNumber, kind: 'RECONCILED', paymentId: candidate.paymentId };
    }
    if (typeof verdict === 'bigint') {
      return { lineNumber, kind: 'RETURN', paymentId: candidate.paymentId, minor: verdict };
    }
    const { paymentId } = candidate;
    return { lineNumber, kind: 'EXCEPTION', exception: verdict, paymentId };
  });
}

/**
 * The beneficiary of a payout knows our reference and may pay any amount under it, also all of it. He
 * chooses the references, the purpose and the text of his transfer, so that none of those is proof:
 * money counts as come back only where the bank itself marks a return.
 */
const isFromStranger = ({ direction, isReturn }: MatchLine): boolean =>
  direction === 'CRDT' && !isReturn;

/** No reference, or none of ours: fees, deposits, or money that moved without us. */
function judgeForeign(line: MatchLine): LineOutcome {
  const { lineNumber } = line;
  const amount = statementMinor(line);
  if (amount.ok && amount.minor === 0n) return { lineNumber, kind: 'IGNORED' };
  const exception = line.direction === 'DBIT' ? 'UNEXPECTED_AT_BANK' : 'UNKNOWN_RETURN';
  return { lineNumber, kind: 'EXCEPTION', exception, paymentId: null };
}

function judgeDebit(
  line: MatchLine,
  candidate: MatchCandidate,
  booked: Booked,
): 'RECONCILED' | MatchException {
  if (candidate.attempt === 'NEVER_SENT') return 'UNEXPECTED_AT_BANK';
  const isFirst = booked.debits === 0;
  booked.debits += 1;
  if (!isFirst) return 'DUPLICATE_AT_BANK';
  // Undoes a credit, so a return was taken back: money left again, and no payout asked for it.
  if (line.isReversal) return 'UNEXPECTED_AT_BANK';
  if (candidate.areFundsReleased || candidate.attempt === 'DEAD') return 'LATE';
  const amount = statementMinor(line);
  const isEqual =
    amount.ok && amount.minor === candidate.minor && line.currency === candidate.currency;
  return isEqual ? 'RECONCILED' : 'AMOUNT_MISMATCH';
}

function judgeCredit(
  line: MatchLine,
  candidate: MatchCandidate,
  booked: Booked,
): bigint | MatchException {
  if (candidate.attempt === 'NEVER_SENT') return 'UNKNOWN_RETURN';
  const correctsDouble = booked.debits - booked.credits >= 2;
  const isFirst = booked.credits === 0;
  booked.credits += 1;
  if (!isFirst || correctsDouble) return 'DUPLICATE_AT_BANK';
  // The owner has the money already, or another attempt is under way: no return of this payment.
  if (candidate.areFundsReleased || candidate.attempt === 'DEAD') return 'LATE';
  const amount = statementMinor(line);
  if (!amount.ok || line.currency !== candidate.currency) return 'AMOUNT_MISMATCH';
  const isPlausible = amount.minor > 0n && amount.minor <= candidate.minor;
  return isPlausible ? amount.minor : 'AMOUNT_MISMATCH';
}
