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
  /** How often a payment that waits for approval or funds' owner is looked at again. */
  readonly holdCheckMs: number;
}

/** Sends without effect, or retryable rejections, after which a human must look. */
export const FRUITLESS_SENDS_MAX = 4;

/** Withdrawn KYC that is not restored for so long fails the payment. 30 days. */
export const KYC_WITHDRAWN_MAX_MS = 30 * 24 * 3_600_000;

/** A screening hit that operators do not decide for so long fails the payment. 30 days. */
export const COMPLIANCE_REVIEW_MAX_MS = 30 * 24 * 3_600_000;

/** The wait before look number `n` (from 0): `first`, then doubling, never above `max`. */
export function doublingDelay(first: number, max: number, n: number): number {
  return Math.min(max, first * 2 ** Math.min(n, 30));
}
