import { assertNever } from '../assert-never.ts';
import type { Direction, EntryStatus } from './statement-types.ts';
import {
  netLines,
  type BookedBefore,
  type LineCounts,
  type LineKind,
  type NetResult,
} from './net-lines.ts';
import { statementMinor } from './statement-amount.ts';

/** A line of a statement, as far as matching needs it. */
export interface MatchLine {
  readonly lineNumber: number;
  /** EndToEndId; null where the bank gave none. */
  readonly reference: string | null;
  /** As the bank wrote it. */
  readonly amount: string;
  readonly currency: string;
  /** The way money moved; of a reversal too (see `isReversal`). */
  readonly direction: Direction;
  /** ISO 20022 RvslInd: undoes an entry of the other direction. A reversed debit is a CRDT. */
  readonly isReversal: boolean;
  /** The bank marks it as a return or reversal. Without that a credit is a payment of a stranger. */
  readonly isReturn: boolean;
  readonly status: EntryStatus;
}

/** One attempt of a payment: the bank knows attempts, each by its own reference. */
export interface MatchCandidate {
  readonly paymentId: string;
  readonly reference: string;
  /** Minor units. */
  readonly minor: bigint;
  readonly currency: string;
  /**
   * What we know of the attempt. OPEN: sent, outcome unknown or pending; DEAD: the bank rejected it,
   * or an operator confirmed that it failed.
   */
  readonly attempt: 'NEVER_SENT' | 'OPEN' | 'SETTLED' | 'DEAD';
  /** The payment is FAILED, CANCELED or EXPIRED: its money went back. Not for RETURNED. */
  readonly areFundsReleased: boolean;
}

/** The booked lines of a payment, by any of its attempts that was sent. */
export interface PaymentLines {
  readonly before: BookedBefore;
  /** All of this statement, those of later slices too. */
  readonly statement: LineCounts;
  /** Those of them that come before this slice. */
  readonly judged: LineCounts;
  /** Numbers of lines that repeat a line of another statement; the counts leave them out. */
  readonly repeated?: ReadonlySet<number>;
}

type MatchException =
  'AMOUNT_MISMATCH' | 'UNEXPECTED_AT_BANK' | 'DUPLICATE_AT_BANK' | 'UNKNOWN_RETURN' | 'LATE';

export type LineOutcome = { readonly lineNumber: number } & (
  | { readonly kind: 'RECONCILED'; readonly paymentId: string }
  /** Money came back: `minor` of it, which a bank's deduction may make less than was sent. */
  | { readonly kind: 'RETURN'; readonly paymentId: string; readonly minor: bigint }
  /** Cancels out with another line of the payment on the same statement. */
  | { readonly kind: 'OFFSET'; readonly paymentId: string }
  /** The movement that another statement showed. */
  | { readonly kind: 'REPEATED'; readonly paymentId: string }
  | {
      readonly kind: 'EXCEPTION';
      readonly exception: MatchException;
      readonly paymentId: string | null;
    }
  /** Moved no money: pending, informational, or zero without one of our references. */
  | { readonly kind: 'IGNORED' }
);

type Verdict = 'RECONCILED' | 'RETURN' | 'OFFSET' | MatchException;

interface Netting {
  readonly before: BookedBefore;
  readonly statement: LineCounts;
  readonly net: NetResult;
  /** Lines of each kind so far. */
  readonly seen: Record<LineKind, number>;
}

/**
 * Matches the lines of one slice of a statement with the attempts that carry their references, which
 * are compared whole, without regard to case. Every line gets exactly one outcome, which follows from
 * all lines of its payment on the statement, see `netLines`. A payment without an entry in
 * `booked` has no lines but those given here. An exception counts as booked too: its money did move.
 */
export function matchLines(
  lines: readonly MatchLine[],
  candidates: readonly MatchCandidate[],
  booked: ReadonlyMap<string, PaymentLines>,
): LineOutcome[] {
  const byReference = new Map(candidates.map((found) => [found.reference.toUpperCase(), found]));
  const nettings = new Map<string, Netting>();
  for (const [paymentId, { before, statement, judged }] of booked) {
    const net = netLines(statement, before);
    nettings.set(paymentId, { before, statement, net, seen: { ...judged } });
  }

  return lines.map((line): LineOutcome => {
    const { lineNumber } = line;
    if (line.status !== 'BOOK') return { lineNumber, kind: 'IGNORED' };
    const named = byReference.get(line.reference?.toUpperCase() ?? '');
    if (named === undefined || isFromStranger(line)) return judgeForeign(line);
    const { paymentId } = named;
    if (named.attempt === 'NEVER_SENT') {
      const exception = line.direction === 'DBIT' ? 'UNEXPECTED_AT_BANK' : 'UNKNOWN_RETURN';
      return { lineNumber, kind: 'EXCEPTION', exception, paymentId };
    }
    const netting = nettings.get(paymentId);
    if (netting === undefined) throw new Error(`the lines of ${paymentId} were not counted`);
    if (booked.get(paymentId)?.repeated?.has(lineNumber) === true) {
      return { lineNumber, kind: 'REPEATED', paymentId };
    }
    const lineKind = lineKindOf(line, named);
    const verdict = judgeOurs(lineKind, netting, oddityOf(named));
    netting.seen[lineKind] += 1;
    switch (verdict) {
      case 'RECONCILED':
      case 'OFFSET':
        return { lineNumber, kind: verdict, paymentId };
      case 'RETURN':
        return { lineNumber, kind: 'RETURN', paymentId, minor: minorOf(line) };
      default:
        return { lineNumber, kind: 'EXCEPTION', exception: verdict, paymentId };
    }
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

/** What a booked line is that names an attempt which was sent; of a credit, one marked as a return. */
export function lineKindOf(line: MatchLine, candidate: MatchCandidate): LineKind {
  const { minor, currency } = candidate;
  const amount = statementMinor(line);
  const found = amount.ok && !isDead(candidate) && line.currency === currency ? amount.minor : null;
  if (line.direction === 'DBIT') {
    if (found !== minor) return 'ODD_DEBIT';
    return line.isReversal ? 'RETURN_TAKEN_BACK' : 'PAYOUT';
  }
  if (found === minor) return 'WHOLE_RETURN';
  return found !== null && found > 0n && found < minor ? 'PART_RETURN' : 'ODD_RETURN';
}

/** The owner has the money already, or another attempt is under way. */
export const isDead = ({ areFundsReleased, attempt }: MatchCandidate): boolean =>
  areFundsReleased || attempt === 'DEAD';

/** What an odd line shows, where it is the first of its direction. */
const oddityOf = (candidate: MatchCandidate): MatchException =>
  isDead(candidate) ? 'LATE' : 'AMOUNT_MISMATCH';

function judgeOurs(kind: LineKind, netting: Netting, oddity: MatchException): Verdict {
  const { before, statement, net, seen } = netting;
  const nth = seen[kind];
  switch (kind) {
    case 'PAYOUT':
      if (nth < net.reconciled) return 'RECONCILED';
      return nth < net.reconciled + net.offset.PAYOUT ? 'OFFSET' : 'DUPLICATE_AT_BANK';
    case 'RETURN_TAKEN_BACK':
      // Undoes a credit that is not on this statement: money left again, and no payout asked for it.
      return nth < net.offset.RETURN_TAKEN_BACK ? 'OFFSET' : 'UNEXPECTED_AT_BANK';
    case 'ODD_DEBIT': {
      const isFirst = nth === 0 && before.debits === 0 && statement.PAYOUT === 0;
      return isFirst ? oddity : 'DUPLICATE_AT_BANK';
    }
    case 'WHOLE_RETURN':
    case 'PART_RETURN': {
      const returns = net.returned === kind ? 1 : 0;
      if (nth < returns) return 'RETURN';
      const offset = kind === 'WHOLE_RETURN' ? net.offset.WHOLE_RETURN : 0;
      if (nth < returns + offset) return 'OFFSET';
      return net.isReturnUnclear ? 'AMOUNT_MISMATCH' : 'DUPLICATE_AT_BANK';
    }
    case 'ODD_RETURN':
      return nth === 0 && before.credits === 0 ? oddity : 'DUPLICATE_AT_BANK';
    default:
      return assertNever(kind);
  }
}

function minorOf(line: MatchLine): bigint {
  const amount = statementMinor(line);
  if (!amount.ok) throw new Error('a return of an amount that cannot be read');
  return amount.minor;
}
