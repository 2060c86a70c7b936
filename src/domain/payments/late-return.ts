import { returnReason } from './failures/rail-reasons.ts';
import type { PaymentChange, PaymentState, SettlingPayment } from './payment.ts';

type Evidence = NonNullable<PaymentState['reconciliationEvidence']>;

/** What the rest of an evidence was written over; one level at a time. */
const beneath = (evidence: Evidence): Evidence | null =>
  (evidence['before'] as Evidence | undefined) ?? null;

/** However often a bank tells its contradictions in turns, evidence does not grow without end. */
const LEVELS_MAX = 5;

/** Whether the payment's evidence tells of a late return, also beneath a later contradiction. */
export function tellsLateReturn(evidence: Evidence | null): boolean {
  for (let one = evidence, level = 0; one !== null && level < LEVELS_MAX; level += 1) {
    if (one['exception'] === 'LATE_RETURN' || one['lateReturn'] !== undefined) return true;
    one = beneath(one);
  }
  return false;
}

/** The evidence that stood before the late return was known; null where there was none. */
function evidenceBefore(evidence: Evidence | null): Evidence | null {
  let one = evidence;
  for (let level = 0; one !== null && level < LEVELS_MAX; level += 1) {
    if (one['exception'] === undefined && one['kind'] === undefined) return one;
    one = beneath(one);
  }
  return null;
}

/**
 * The bank says that the money of a final payment came back: an exception for operators, and no money
 * moves until a statement shows it. Null where the payment says so already.
 */
export function lateReturnTold(
  { reconciliationEvidence: known }: SettlingPayment,
  reference: string,
): PaymentChange | null {
  if (tellsLateReturn(known)) return null;
  return {
    reconciliationStatus: 'EXCEPTION',
    reconciliationEvidence: {
      ...{ exception: 'LATE_RETURN', reference },
      ...(known === null ? {} : { before: known }),
    },
  };
}

/** What operators decided, and the line that showed the money. */
interface DecidedReturn {
  readonly decision: 'CREDIT' | 'KEEP';
  /** Minor units in suspense. */
  readonly amount: bigint;
  /** Minor units that acts have credited before. */
  readonly returned: bigint;
  /** The bank's code. */
  readonly reason: string | null;
}

/**
 * Two operators decided. CREDIT: the customer has it, in the source currency at the payment's own rate,
 * and reads of it in `return`. KEEP: it stays in suspense. The payment stays COMPLETED and final; its
 * exception is resolved unless the bank says more about it than that.
 */
export function lateReturnDecided(
  { reconciliationEvidence, amount: paid }: SettlingPayment,
  { decision, amount, returned, reason }: DecidedReturn,
  now: Date,
): PaymentChange {
  const known = reconciliationEvidence ?? {};
  const lateReturn = { decision, minorUnits: amount.toString(), at: now.toISOString() };
  if (decision === 'KEEP') {
    return isOnlyLate(known)
      ? resolved(known, { lateReturn, suspense: known['suspense'] })
      : { reconciliationEvidence: { ...known, lateReturn } };
  }
  const back = returned + amount;
  return {
    ...resolved(known, { lateReturn }),
    returnInfo: {
      ...returnReason(reason),
      amount: back.toString(),
      fee: (paid - back).toString(),
      at: now.toISOString(),
      isLate: true,
    },
    movements: [{ kind: 'LATE_RETURN_CREDIT', amount }],
  };
}

/** Whether the late return is all that is wrong with the payment. */
export const isOnlyLate = (evidence: Evidence | null): boolean =>
  evidence?.['exception'] === 'LATE_RETURN' && evidence['contradictedBy'] === undefined;

function resolved(known: Evidence, more: Evidence): PaymentChange {
  const { statementId, line, bankReference, bookedAt } = known;
  return {
    reconciliationStatus: 'RECONCILED',
    reconciliationEvidence: {
      ...evidenceBefore(known),
      return: { statementId, line, bankReference, bookedAt },
      ...more,
    },
  };
}

/** A line of the bank shows that money: it lies in suspense until operators have decided. */
export function lateReturnShown(
  { reconciliationEvidence: known }: SettlingPayment,
  found: Evidence & { readonly minorUnits: bigint; readonly currency: string },
): PaymentChange {
  const { minorUnits, currency, ...line } = found;
  const before = known?.['exception'] === 'LATE_RETURN' ? beneath(known) : known;
  return {
    reconciliationStatus: 'EXCEPTION',
    reconciliationEvidence: {
      ...{ exception: 'LATE_RETURN', ...line, currency },
      suspense: { minorUnits: minorUnits.toString(), currency },
      ...(before === null ? {} : { before }),
    },
    movements: [{ kind: 'LATE_RETURN', amount: minorUnits }],
  };
}
