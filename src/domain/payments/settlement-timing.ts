/** How patient settlement is. All in milliseconds; one set for test, one for live. */
export interface SettlementTiming {
  /** One call of the bank, connection and answer included. */
  readonly bankTimeoutMs: number;
  /** From the commit of an attempt to the moment after which no worker sends its bytes. */
  readonly attemptDeadlineMs: number;
  /** After an unknown outcome the bank is asked first after this, then at doubling distances. */
  readonly askFirstMs: number;
  readonly askMaxMs: number;
  /** How long after the deadline, or the bank's answer, a "never seen" begins to count. */
  readonly missingAfterMs: number;
  /** Nothing known for so long: a human must look. */
  readonly stalledAfterMs: number;
  /** Distance of a new attempt from a retryable rejection, doubling. */
  readonly retryFirstMs: number;
  readonly retryMaxMs: number;
  /** A held payment is looked at again first after this, then at doubling distances: see `holdLookMs`. */
  readonly holdCheckMs: number;
}

/** Sends without effect, or retryable rejections, after which a human must look. */
export const FRUITLESS_SENDS_MAX = 4;

/** Withdrawn KYC that is not restored for so long fails the payment. 30 days. */
export const KYC_WITHDRAWN_MAX_MS = 30 * 24 * 3_600_000;

/** A screening hit that operators do not decide for so long fails the payment. 30 days. */
export const COMPLIANCE_REVIEW_MAX_MS = 30 * 24 * 3_600_000;

/** The longest doubled distance between two looks at a held payment, in ms: 1 hour. */
const HOLD_LOOK_MAX_MS = 3_600_000;

/**
 * How long after `now` a payment that is held since `heldSince` is looked at again, in ms. Operators' acts wake the payments
 * that they are about; a look finds what wakes none, as a corridor that opens again. The distance doubles with the age of
 * the hold, from the first distance to one hour, or stays the first where that is longer.
 */
export function holdLookMs(
  heldSince: Date | null,
  now: Date,
  { holdCheckMs }: Pick<SettlementTiming, 'holdCheckMs'>,
): number {
  const ageMs = heldSince === null ? 0 : now.getTime() - heldSince.getTime();
  return Math.max(holdCheckMs, Math.min(HOLD_LOOK_MAX_MS, ageMs));
}

/** The wait before look number `n` (from 0): `first`, then doubling, never above `max`. */
export function doublingDelay(first: number, max: number, n: number): number {
  return Math.min(max, first * 2 ** Math.min(n, 30));
}
