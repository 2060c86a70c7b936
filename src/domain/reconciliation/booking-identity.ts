import { fromUnits, toUnits } from './decimal-units.ts';
import type { StatementLinePiece } from './statement-piece.ts';
import type { Direction, ReportKind } from './statement-types.ts';

/**
 * The references of a transaction, by the element of ISO 20022 that holds them. EntryAcctSvcrRef is the AcctSvcrRef of
 * an entry with several transactions. UNKNOWN: a reference of a bank that the release before this one stored.
 */
export type BookingReferenceKind =
  'AcctSvcrRef' | 'EntryAcctSvcrRef' | 'TxId' | 'EndToEndId' | 'InstrId' | 'UETR' | 'UNKNOWN';

export interface BookingReference {
  readonly kind: BookingReferenceKind;
  readonly value: string;
}

/**
 * References that banks give. A payer chooses EndToEndId, InstrId and UETR, and so can repeat them: they prove neither
 * that two credits are one booking nor that they are two.
 */
const OF_BANKS: ReadonlySet<BookingReferenceKind> = new Set([
  'AcctSvcrRef',
  'EntryAcctSvcrRef',
  'TxId',
  'UNKNOWN',
]);

export const isOfBank = ({ kind }: Pick<BookingReference, 'kind'>): boolean => OF_BANKS.has(kind);

/** What tells one booking of a bank from another one. */
export interface BookingIdentity {
  /** All that the transaction has; an entry's own only where it has several transactions or no other. */
  readonly references: readonly BookingReference[];
  /** Major units, decimal text without trailing zeros. */
  readonly amount: string;
  readonly currency: string;
  readonly direction: Direction;
  /** ISO 11649 references with right check digits: the payer wrote them. */
  readonly creditorReferences: readonly string[];
  /** ISO 8601 as the bank wrote it. */
  readonly valueDate: string | null;
  /**
   * STRONG: a bank gave the transaction a reference of its own. WEAK: it has none, or shares the one of its entry, so
   * that only its statement, its place and its amount tell it.
   */
  readonly strength: 'STRONG' | 'WEAK';
}

/** An identity with the report that shows the booking. */
export interface ShownBooking extends Omit<BookingIdentity, 'valueDate' | 'strength'> {
  /** As the bank lists the report's account. */
  readonly account: string;
  readonly bookedAt: Date | null;
  readonly report: Report;
}

export interface Report {
  readonly kind: ReportKind;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** The identity of what a line shows. */
export function identifyBooking(line: StatementLinePiece): BookingIdentity {
  const { amount, currency, direction, creditorReferences, valueDate } = line;
  const own = line.isEntryReference ? 'EntryAcctSvcrRef' : 'AcctSvcrRef';
  const told: readonly (readonly [BookingReferenceKind, string | null])[] = [
    [own, line.bankReference],
    ['TxId', line.transactionId],
    ['EndToEndId', line.endToEndId],
    ['InstrId', line.instructionId],
    ['UETR', line.uetr],
  ];
  const references = told.flatMap(([kind, value]) => (value === null ? [] : [{ kind, value }]));
  const isStrong = references.some(
    (reference) => isOfBank(reference) && reference.kind !== 'EntryAcctSvcrRef',
  );
  return {
    references,
    amount: fromUnits(toUnits(amount)),
    ...{ currency, direction, creditorReferences, valueDate },
    strength: isStrong ? 'STRONG' : 'WEAK',
  };
}
