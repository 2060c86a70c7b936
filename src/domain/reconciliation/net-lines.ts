/**
 * What a booked line that names a payment is, before it is held against the payment's other lines. Lines
 * of one kind are worth the same, part returns aside. ODD: of another amount or currency than was sent
 * (of a return: more than was sent, or nothing), or of an attempt whose funds went back.
 */
export type LineKind =
  'PAYOUT' | 'RETURN_TAKEN_BACK' | 'ODD_DEBIT' | 'WHOLE_RETURN' | 'PART_RETURN' | 'ODD_RETURN';
export type LineCounts = Readonly<Record<LineKind, number>>;

export const NO_LINES: LineCounts = {
  PAYOUT: 0,
  RETURN_TAKEN_BACK: 0,
  ODD_DEBIT: 0,
  WHOLE_RETURN: 0,
  PART_RETURN: 0,
  ODD_RETURN: 0,
};

/** Judged lines of a payment on other statements, whatever their outcome was. */
export interface BookedBefore {
  readonly debits: number;
  readonly credits: number;
  /** Of the debits, those of another amount or currency than was sent. */
  readonly mismatches: number;
}

export const NOTHING_BEFORE: BookedBefore = { debits: 0, credits: 0, mismatches: 0 };

/** How many lines of a kind settle the payment and how many cancel out; all others are too many. */
export interface NetResult {
  readonly reconciled: 0 | 1;
  /** The kind of the one line that is the return; null where the payment did not come back. */
  readonly returned: 'WHOLE_RETURN' | 'PART_RETURN' | null;
  readonly offset: Readonly<Record<'PAYOUT' | 'RETURN_TAKEN_BACK' | 'WHOLE_RETURN', number>>;
  /** Credits bring back all that was debited, or more, yet which of them is the return is not clear. */
  readonly isReturnUnclear: boolean;
}

/**
 * Nets a payment's lines over one whole statement: `lines` counts them all. Only how many there are of
 * each kind matters, so their order cannot: a bank that debits, takes the debit back and debits again
 * has paid once, and nothing came back. Paid net once: RECONCILED. Net zero: RECONCILED and a return.
 * Net twice: what is beyond the first is a duplicate. Debits and whole returns that cancel out within
 * the statement are OFFSET and need no act.
 *
 * A return is taken only where it is clear: none was booked on another statement, no debit or credit is
 * odd, and there is one amount that can have come back.
 */
export function netLines(lines: LineCounts, before: BookedBefore): NetResult {
  const reconciled = before.debits === 0 && lines.PAYOUT > 0 ? 1 : 0;
  const debits = lines.PAYOUT + lines.RETURN_TAKEN_BACK + lines.ODD_DEBIT;
  const credits = lines.WHOLE_RETURN + lines.PART_RETURN + lines.ODD_RETURN;
  const net = before.debits + debits - before.credits - credits;
  const isReturned = before.credits === 0 && net <= 0 && credits - lines.RETURN_TAKEN_BACK > 0;
  const isOdd = before.mismatches + lines.ODD_DEBIT + lines.ODD_RETURN > 0;
  const returned = isReturned && !isOdd ? chooseReturn(lines, net) : null;

  const payoutsLeft = lines.PAYOUT - reconciled;
  const returnsLeft = lines.WHOLE_RETURN - (returned === 'WHOLE_RETURN' ? 1 : 0);
  const takenBack = Math.min(lines.RETURN_TAKEN_BACK, returnsLeft);
  const corrected = Math.min(payoutsLeft, returnsLeft - takenBack);
  return {
    reconciled,
    returned,
    offset: {
      PAYOUT: corrected,
      RETURN_TAKEN_BACK: takenBack,
      WHOLE_RETURN: takenBack + corrected,
    },
    isReturnUnclear: isReturned && returned === null,
  };
}

/** Of several credits a part is the return only where the whole ones cancel out with debits. */
function chooseReturn(
  { WHOLE_RETURN, PART_RETURN }: LineCounts,
  net: number,
): NetResult['returned'] {
  if (PART_RETURN === 0) return 'WHOLE_RETURN';
  const isClear = PART_RETURN === 1 && (net === 0 || WHOLE_RETURN === 0);
  return isClear ? 'PART_RETURN' : null;
}
