import {
  findKnownCredits,
  isProof,
  keepBookingReferences,
  kindsOf,
  readBookingReference,
  type KnownCredit,
  type KnownReturn,
  type ShownCredit,
} from '../../../db/ledger/booking-store.ts';
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
  insertIncomingCredit,
  isMarkedReturn,
  readIncomingCredits,
  type IncomingCreditRow,
} from '../../../db/ledger/incoming-credit-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import type { StatementOrigin } from '../../../db/reconciliation/statement-store.ts';
import { judgeCredit, type CreditVerdict } from '../../../domain/ledger/funding/judge-credit.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import type {
  BookingReference,
  ShownBooking,
} from '../../../domain/reconciliation/booking-identity.ts';
import {
  areAccountsApart,
  isSameMoment,
  mayShowOneBooking,
} from '../../../domain/reconciliation/compare-bookings.ts';
import { isSameBooking } from '../../../domain/ledger/funding/credit-booking.ts';
import { fromUnits, toUnits } from '../../../domain/reconciliation/decimal-units.ts';
import { tieBookings, type Tie } from '../../../domain/reconciliation/tie-bookings.ts';
import { isBookedByAct } from '../../../db/reconciliation/booking-twin-store.ts';
import { bookingOf, ownBookingOf } from './booking.ts';

/** A line and the credit that it shows, which an earlier line may have shown before. */
export interface TakenLine {
  readonly line: CreditingLineRow;
  /** Null of what another line has in the books: an act about it, or the return of a payment. */
  readonly credit: IncomingCreditRow | null;
  /** The bank says now that a credit which somebody has is a return, or that the return of a payment is a credit. */
  readonly isContradicted: boolean;
}

/** RETURN: it shows what another report shows as the return of a payment. */
type LineTie = Tie | { readonly kind: 'RETURN' };

/** A line that is looked at, with its identity. */
interface Looked {
  readonly line: CreditingLineRow;
  readonly verdict: CreditVerdict;
  readonly booking: ShownBooking;
}

/**
 * Decides whose the credits of some lines of one statement are, and writes that down once for each booking. One that
 * the bank took back on a statement that was looked at before is unmatched until operators looked, and so is one that
 * may be the booking of an earlier credit.
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
  const looked = lines.map((line) => ({
    line,
    verdict: judgeCredit({ ...line, references: line.creditorReferences }, owners),
    booking: toBooking(line),
  }));
  const ties = await tieToKnown(tx, origin, looked);
  const known = await readIncomingCredits(
    tx,
    ties.flatMap((tie) => (tie.kind === 'SAME' ? [tie.id] : [])),
  );
  const taken: TakenLine[] = [];
  for (const [index, one] of looked.entries()) {
    const tie: LineTie = ties[index] ?? { kind: 'NEW' };
    const shown = tie.kind === 'SAME' ? known.get(tie.id) : undefined;
    const isReturnOfCredit = shown !== undefined && (await isFirstMarked(tx, one.line, shown));
    taken.push({
      line: one.line,
      credit: shown ?? (await takeCredit(tx, origin, one, tie, at)),
      isContradicted: tie.kind === 'RETURN' || isReturnOfCredit,
    });
  }
  const kept = taken.map(({ credit }, index) => ({
    creditId: credit?.id ?? null,
    references: looked[index]?.booking.references ?? [],
  }));
  const credited = kept.filter((one): one is ShownCredit => one.creditId !== null);
  await keepBookingReferences(tx, origin, credited);
  return taken;
}

function toBooking(line: CreditingLineRow): ShownBooking {
  const { currency, creditorReferences, account, bookedAt, reportKind, from, to } = line;
  return {
    references: referencesOf(line),
    amount: fromUnits(toUnits(line.amount)),
    ...{ currency, direction: 'CRDT', creditorReferences, account, bookedAt },
    report: { kind: reportKind, from, to },
  };
}

/** The release before this one read one reference of a line. */
function referencesOf({
  bookingReferences,
  bookingKey,
  bankReference,
}: CreditingLineRow): readonly BookingReference[] {
  if (bookingReferences.length > 0 || bookingKey === null) {
    return bookingReferences.map(readBookingReference);
  }
  const kind = bankReference === null ? 'TxId' : 'AcctSvcrRef';
  return [{ kind, value: bookingKey.toString('base64url') }];
}

/** What the lines show of what is known. A line whose own credit is stored shows that one. */
async function tieToKnown(
  tx: SystemTransaction,
  origin: StatementOrigin,
  looked: readonly Looked[],
): Promise<LineTie[]> {
  const [first] = looked;
  if (first === undefined) return [];
  const { known, areCut, returns } = await findKnownCredits(
    tx,
    origin,
    first.line.statementId,
    looked.map(({ line, verdict, booking }) => ({
      ...booking,
      minor: verdict.minor,
      ownKeys: [bookingOf(line).bookingKey, ownBookingOf(line).bookingKey],
    })),
  );
  const isOwn = (line: CreditingLineRow) => (credit: KnownCredit) =>
    credit.statementId === line.statementId && credit.line === line.line;
  const own = looked.map(({ line }) => known.find(isOwn(line)));
  const open = looked.filter((_one, index) => own[index] === undefined);
  const tied = tieBookings(
    open.map(({ booking }) => booking),
    known,
  ).values();
  const ties: LineTie[] = [];
  let left = returns;
  for (const [index, { line, booking, verdict }] of looked.entries()) {
    const stored = own[index];
    if (stored !== undefined) {
      ties.push({ kind: 'SAME', id: stored.id });
      continue;
    }
    const tie = tied.next().value ?? { kind: 'NEW' };
    // What is in no book yet waits in suspense like any other credit, but credits no customer.
    const shown = left.find(
      (one) => isReturnOf(booking, one) && (one.isBooked || verdict.kind === 'CREDIT'),
    );
    if (tie.kind !== 'SAME' && shown !== undefined) {
      // Each line of a report is a booking of its own.
      left = left.filter(({ place }) => place !== shown.place);
      ties.push({ kind: 'RETURN' });
      continue;
    }
    ties.push(await asGiven(tx, line, areCut ? atMostUnclear(tie, booking, known) : tie));
  }
  return ties;
}

const isReturnOf = (
  { references, account, bookedAt, report }: ShownBooking,
  shown: KnownReturn,
): boolean =>
  references.some((reference) => isProof(reference) && reference.value === shown.key) &&
  isSameBooking(bookedAt, shown.bookedAt) &&
  (mayShowOneBooking(report, shown.report) || isSameMoment(bookedAt, shown.bookedAt)) &&
  !areAccountsApart(account, shown.account);

/** Whether the bank marks a credit that somebody has as a return, and has not done so before. */
async function isFirstMarked(
  tx: SystemTransaction,
  { isReturn, statementId, line }: CreditingLineRow,
  credit: IncomingCreditRow,
): Promise<boolean> {
  const { id, outcome } = credit;
  const isTaken = outcome === 'CREDITED' || outcome === 'ASSIGNED' || outcome === 'TIED';
  const isOwn = credit.statementId === statementId && credit.line === line;
  return isReturn && isTaken && !isOwn && !(await isMarkedReturn(tx, id));
}

/** Not all that it may repeat was compared. */
function atMostUnclear(
  tie: Tie,
  { amount, currency }: ShownBooking,
  known: readonly KnownCredit[],
): Tie {
  const last = known.findLast((one) => one.amount === amount && one.currency === currency);
  return tie.kind === 'NEW' && last !== undefined ? { kind: 'UNCLEAR', id: last.id } : tie;
}

/** A credit that was taken back, and is given again, may be another one. */
async function asGiven(tx: SystemTransaction, line: CreditingLineRow, tie: Tie): Promise<Tie> {
  if (tie.kind !== 'SAME' || !(await isGivenAgain(tx, tie.id, line))) return tie;
  return { kind: 'UNCLEAR', id: tie.id };
}

/** Stores the credit of a line that shows no known one for sure; null where it is in the books as no credit. */
async function takeCredit(
  tx: SystemTransaction,
  origin: StatementOrigin,
  { line, verdict, booking }: Looked,
  tie: LineTie,
  at: Date,
): Promise<IncomingCreditRow | null> {
  if (tie.kind === 'RETURN') return null;
  if (line.isReturn && (await isBookedByAct(tx, line))) return null;
  const resemblesCreditId = tie.kind === 'UNCLEAR' ? tie.id : null;
  const reversal =
    resemblesCreditId === null ? await earlyReversalOf(tx, origin, line, verdict) : null;
  // A marked return that no book can hold is no credit either: operators end the line itself.
  if (line.isReturn && verdict.minor === null) return null;
  const { environment, connector } = origin;
  const { statementId, bankReference, currency, amount, bookedAt } = line;
  const isMatched = verdict.kind === 'CREDIT' && reversal === null && resemblesCreditId === null;
  const unmatchedReason =
    resemblesCreditId !== null
      ? 'POSSIBLE_DUPLICATE'
      : verdict.kind === 'UNMATCHED'
        ? verdict.reason
        : 'REVERSED_FIRST';
  const wanted = {
    id: newId(ID_PREFIXES.fundingCredit),
    ...{ environment, connector, resemblesCreditId, referenceKinds: kindsOf(booking.references) },
    ...{ statementId, line: line.line, bankReference, currency, amount, bookedAt },
    minor: verdict.minor,
    reference: isMatched ? verdict.to.reference : null,
    receivedAt: at,
    unmatchedReason: isMatched ? null : unmatchedReason,
    customerId: isMatched ? verdict.to.customerId : null,
    ledgerTransactionId: newId(ID_PREFIXES.ledgerTransaction),
  };
  const credit =
    (await insertIncomingCredit(tx, { ...wanted, ...bookingOf(line) })) ??
    (await insertIncomingCredit(tx, { ...wanted, ...ownBookingOf(line) }));
  if (credit === null) throw new Error('an incoming credit is neither new nor known');
  if (reversal !== null) await answerEarlyReversal(tx, reversal, credit.id);
  return credit;
}

async function earlyReversalOf(
  tx: SystemTransaction,
  origin: StatementOrigin,
  { currency, amount, bankReference, bookedAt }: CreditingLineRow,
  verdict: CreditVerdict,
): Promise<EarlyReversalRow | null> {
  if (verdict.kind !== 'CREDIT') return null;
  const { environment, connector } = origin;
  const { minor, to } = verdict;
  const credit = { currency, amount, minor, bankReference, bookedAt, reference: to.reference };
  return findEarlyReversal(tx, { environment, connector, ...credit });
}
