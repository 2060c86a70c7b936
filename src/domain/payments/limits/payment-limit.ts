/** What one limit says of payments that take from one currency or asset. Amounts in minor units, fees included. */
export interface PaymentLimit {
  /** Null: it counts all payments of the customer. */
  readonly apiKeyId: string | null;
  readonly currency: string;
  /** Null: no limit. 0: each payment waits. */
  readonly perPayment: bigint | null;
  /** Of a day in UTC. Null: no limit. 0: each payment waits. */
  readonly perDay: bigint | null;
  readonly allowedBeneficiariesOnly: boolean;
}

/** What a payment is over. CURRENCY: limits are set, and none for what it takes from. */
export type LimitReason = 'PER_PAYMENT' | 'PER_DAY' | 'BENEFICIARY' | 'CURRENCY';

const REASONS = ['PER_PAYMENT', 'PER_DAY', 'BENEFICIARY', 'CURRENCY'] as const;

/** A payment that waits for its customer fails after it: 7 days. */
export const APPROVAL_MAX_MS = 7 * 24 * 3_600_000;

/** What is looked at of a payment. */
export interface LimitedPayment {
  /** The key that made it; null: no key did. */
  readonly apiKeyId: string | null;
  readonly currency: string;
  /** What it costs at most, fees included. */
  readonly amount: bigint;
  readonly isBeneficiaryAllowed: boolean;
}

/** What was let go on the day, in the payment's currency: of its customer, and of its key. */
export interface DayAmounts {
  readonly ofCustomer: bigint;
  readonly ofKey: bigint;
}

/**
 * What a payment is over, by the limits of its customer and by those of its key: both apply. Where limits are set, a
 * currency without one waits too: a stolen key cannot pay from another balance instead. Empty: it may go.
 */
export function judgeLimits(
  payment: LimitedPayment,
  limits: readonly PaymentLimit[],
  used: DayAmounts,
): readonly LimitReason[] {
  const ofCustomer = limits.filter(({ apiKeyId }) => apiKeyId === null);
  const ofKey = limits.filter(({ apiKeyId }) => apiKeyId !== null && apiKeyId === payment.apiKeyId);
  const found = new Set([
    ...judgeSet(payment, ofCustomer, used.ofCustomer),
    ...judgeSet(payment, ofKey, used.ofKey),
  ]);
  return REASONS.filter((reason) => found.has(reason));
}

function judgeSet(
  { currency, amount, isBeneficiaryAllowed }: LimitedPayment,
  limits: readonly PaymentLimit[],
  used: bigint,
): LimitReason[] {
  if (limits.length === 0) return [];
  const limit = limits.find((one) => one.currency === currency);
  if (limit === undefined) return ['CURRENCY'];
  const { perPayment, perDay, allowedBeneficiariesOnly } = limit;
  return [
    ...(perPayment !== null && amount > perPayment ? (['PER_PAYMENT'] as const) : []),
    ...(perDay !== null && used + amount > perDay ? (['PER_DAY'] as const) : []),
    ...(allowedBeneficiariesOnly && !isBeneficiaryAllowed ? (['BENEFICIARY'] as const) : []),
  ];
}

/** The UTC day of a moment, YYYY-MM-DD. */
export const limitDay = (at: Date): string => at.toISOString().slice(0, 10);
