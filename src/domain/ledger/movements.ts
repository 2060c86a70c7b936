import { assertNever } from '../assert-never.ts';

/**
 * What a ledger transaction is for. A payment has at most one of each. Without a payment: FUND credits a
 * customer, SUSPEND keeps an unmatched credit, ASSIGN and CLOSE end that, FUND_REVERSAL takes a credit
 * back; COVER is a trade against our position; EXCEPTION and EXCEPTION_REVERSAL are acts of operators about exceptions of
 * statements. Seven are of deposits over networks, at most one of
 * each a deposit and round: `deposit-movements.ts`.
 */
export type MovementKind =
  | 'FUND'
  | 'HOLD'
  | 'SETTLE'
  | 'RELEASE'
  | 'RETURN'
  | 'RETURN_DIFFERENCE'
  | 'LATE_RETURN'
  | 'LATE_RETURN_CREDIT'
  | 'COVER'
  | 'SUSPEND'
  | 'ASSIGN'
  | 'CLOSE'
  | 'FUND_REVERSAL'
  | 'DEPOSIT'
  | 'DEPOSIT_HOLD'
  | 'DEPOSIT_UNHOLD'
  | 'DEPOSIT_RELEASE'
  | 'DEPOSIT_ORPHAN'
  | 'DEPOSIT_BLOCK'
  | 'DEPOSIT_UNBLOCK'
  | 'EXCEPTION'
  | 'EXCEPTION_REVERSAL';

/** Minor units of one currency. */
export interface Money {
  readonly currency: string;
  readonly minor: bigint;
}

/** One line of a ledger transaction: minor units, credits positive. */
export interface LedgerLine extends Money {
  readonly account: string;
}

/** The money of a payment: what the customer pays with, what the bank pays out, what we charge. */
export interface PaymentMoney {
  readonly rail: string;
  /** Without the fees. */
  readonly source: Money;
  readonly target: Money;
  /** In the source currency. */
  readonly fees: readonly ChargedFee[];
  /** Minor units of the source: what is held for it where that may be more than it costs. */
  readonly maxSourceAmount?: bigint | null;
}

/** A fee, and our account that it goes to: `fees` unless it says another. */
interface ChargedFee extends Money {
  readonly account?: 'rounding';
}

/** What happens to a payment's money with one of its versions. */
export type PaymentMovement =
  | { readonly kind: 'SETTLE' | 'RELEASE' }
  /** `amount`: what came back, minor units of the target currency, at most what was paid out. */
  | { readonly kind: 'RETURN'; readonly amount: bigint }
  /** `amount`: credited less what the statement shows, minor units of the target currency, not zero. */
  | { readonly kind: 'RETURN_DIFFERENCE'; readonly amount: bigint }
  /**
   * Of a final payment: what a statement shows to have come back, and the same once two operators let the
   * customer have it. Minor units of the target currency, at most what was paid out.
   */
  | { readonly kind: 'LATE_RETURN' | 'LATE_RETURN_CREDIT'; readonly amount: bigint };

/**
 * The accounts: `available` and `reserved` are what we owe the customer; `nostro:<rail>` is our account
 * at the bank, where money that leaves is a credit; `fx` is our position in each currency; `fees` are
 * earned; `rounding` has what conversions leave over; `suspense` waits for an operator; `receivable` is what the customer owes us. The lines of a movement sum to zero in every currency, and
 * a line of zero is left out.
 */
export function fundingLines(rail: string, money: Money): readonly LedgerLine[] {
  return move(money, `nostro:${rail}`, 'available');
}

/** The payment is accepted: its source amount and fees are kept for it, or the most that it may cost. */
export function holdLines(payment: PaymentMoney): readonly LedgerLine[] {
  return move(heldOf(payment), 'available', 'reserved');
}

/** The lines of a movement of an accepted payment. Throws RangeError for an amount that cannot be. */
export function movementLines(
  payment: PaymentMoney,
  movement: PaymentMovement,
): readonly LedgerLine[] {
  switch (movement.kind) {
    case 'SETTLE':
      return settleLines(payment);
    case 'RELEASE':
      return move(heldOf(payment), 'reserved', 'available');
    case 'RETURN':
      return returnLines(payment, movement.amount, `nostro:${payment.rail}`);
    case 'LATE_RETURN':
      return move(cameBack(payment, movement.amount), `nostro:${payment.rail}`, 'suspense');
    case 'LATE_RETURN_CREDIT':
      return returnLines(payment, movement.amount, 'suspense');
    case 'RETURN_DIFFERENCE':
      return differenceLines(payment, movement.amount);
    default:
      return assertNever(movement);
  }
}

/**
 * The bank paid out: the hold ends, currencies are exchanged against our position, fees are earned, and what was held
 * above the price goes back.
 */
function settleLines(payment: PaymentMoney): readonly LedgerLine[] {
  const { rail, source, target, fees } = payment;
  const nostro = `nostro:${rail}`;
  const paid =
    source.currency === target.currency
      ? move(source, 'reserved', nostro)
      : [...move(source, 'reserved', 'fx'), ...move(target, 'fx', nostro)];
  const rest = { ...source, minor: heldOf(payment).minor - totalOf(payment).minor };
  return [
    ...paid,
    ...fees.flatMap((fee) => move(fee, 'reserved', fee.account ?? 'fees')),
    ...move(rest, 'reserved', 'available'),
  ];
}

/**
 * Money came back: credited in the source currency at the payment's own rate, rounded down (in our
 * favour by less than one minor unit, so that no return is worth more than was paid). Fees are kept.
 */
function returnLines(payment: PaymentMoney, amount: bigint, from: string): LedgerLine[] {
  const { source, target } = payment;
  const returned = cameBack(payment, amount);
  if (source.currency === target.currency) return move(returned, from, 'available');
  return [...move(returned, from, 'fx'), ...move(creditOf(payment, amount), 'fx', 'available')];
}

function cameBack({ target }: PaymentMoney, amount: bigint): Money {
  if (amount < 0n || amount > target.minor) throw new RangeError('more came back than was paid');
  return { currency: target.currency, minor: amount };
}

/** What of the source amount the customer is credited for so much of the target that came back. */
export function creditOf(
  { source, target }: Pick<PaymentMoney, 'source' | 'target'>,
  cameBack: bigint,
): Money {
  return { currency: source.currency, minor: (source.minor * cameBack) / target.minor };
}

/**
 * What of the source amount the customer pays for so much of the target that left again: rounded up, so that a charge
 * and a later credit of the same never gain.
 */
export function chargeOf(
  { source, target }: Pick<PaymentMoney, 'source' | 'target'>,
  left: bigint,
): Money {
  const minor = (source.minor * left + target.minor - 1n) / target.minor;
  return { currency: source.currency, minor };
}

/** The statement shows another amount than was credited: nostro follows the bank, suspense the rest. */
function differenceLines({ rail, target }: PaymentMoney, difference: bigint): LedgerLine[] {
  const { currency } = target;
  const nostro = `nostro:${rail}`;
  return difference > 0n
    ? move({ currency, minor: difference }, 'suspense', nostro)
    : move({ currency, minor: -difference }, nostro, 'suspense');
}

/** What a payment costs: source amount and fees. */
export function totalOf({ source, fees }: Pick<PaymentMoney, 'source' | 'fees'>): Money {
  return { ...source, minor: fees.reduce((sum, fee) => sum + fee.minor, source.minor) };
}

function heldOf(payment: PaymentMoney): Money {
  const total = totalOf(payment);
  return { ...total, minor: payment.maxSourceAmount ?? total.minor };
}

/** So much from one account to another; no line for nothing. Throws RangeError for less. */
export function move({ currency, minor }: Money, from: string, to: string): LedgerLine[] {
  if (minor < 0n) throw new RangeError('a movement is of a positive amount');
  if (minor === 0n) return [];
  return [
    { account: from, currency, minor: -minor },
    { account: to, currency, minor },
  ];
}
