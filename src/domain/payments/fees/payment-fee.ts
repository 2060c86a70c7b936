/**
 * What a fee is for. SERVICE, NETWORK and RAIL are the operator's schedule for payments in one currency and
 * for quotes with an asset in them, FIXED and PERCENTAGE what a quote between two currencies costs, to which
 * a payment adds RAIL.
 * ROUNDING is what a quote with an asset leaves of the source beside what arrives and its fees: less than
 * the target's last digit is worth, and a few units of the source.
 */
export const FEE_TYPES = ['SERVICE', 'NETWORK', 'RAIL', 'FIXED', 'PERCENTAGE', 'ROUNDING'] as const;

export type FeeType = (typeof FEE_TYPES)[number];

/** One fee of a payment, in its source currency, as stored with it. */
export interface PaymentFee {
  readonly type: FeeType;
  /** Minor units as decimal text, above zero. */
  readonly amount: string;
  /** The basis points that are in it; null where it is a fixed amount alone. */
  readonly bps: number | null;
}

/** All fees of a payment in minor units of its source currency. */
export const sumFees = (fees: readonly PaymentFee[]): bigint =>
  fees.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
