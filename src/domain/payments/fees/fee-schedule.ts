import { divideRounded } from '../../money/rounding.ts';
import type { Environment } from '../../scope.ts';
import type { PaymentFee } from './payment-fee.ts';

/** What the schedule charges for. One row of each type counts for a payment. */
export const SCHEDULED_FEE_TYPES = ['SERVICE', 'NETWORK', 'RAIL'] as const;

export type ScheduledFeeType = (typeof SCHEDULED_FEE_TYPES)[number];

/**
 * One row of the operator's schedule. Amounts in minor units of `currency`, which may be an asset; null is
 * any, or no bound.
 */
export interface FeeRow {
  readonly type: ScheduledFeeType;
  readonly currency: string;
  readonly environment: Environment | null;
  /** A network is the rail of what goes over it. */
  readonly rail: string | null;
  readonly country: string | null;
  readonly fixed: bigint;
  readonly bps: number;
  readonly min: bigint | null;
  readonly max: bigint | null;
}

/** What a fee depends on. The amount is in minor units. */
export interface ChargedPayment {
  readonly environment: Environment;
  /** Null where it is not known: rows that name one do not count then. */
  readonly rail: string | null;
  /** The same; null of a network too. */
  readonly country: string | null;
  readonly currency: string;
  readonly amount: bigint;
}

export interface FeeSchedule {
  /**
   * The fees of a payment whose balance is in its own currency, or of what a quote converts; none of
   * nothing. Of a larger amount they are never smaller.
   */
  feesOf(payment: ChargedPayment): PaymentFee[];
}

/**
 * The operator's fees. Of each type the row counts that names most of rail, country and environment;
 * of as many, the one that names the rail, then the country. Rows must differ in what they name.
 */
export function createFeeSchedule(rows: readonly FeeRow[] = []): FeeSchedule {
  const byTypeAndCurrency = new Map<string, FeeRow[]>();
  for (const row of [...rows].sort((a, b) => weightOf(b) - weightOf(a))) {
    const key = keyOf(row.type, row.currency);
    byTypeAndCurrency.set(key, [...(byTypeAndCurrency.get(key) ?? []), row]);
  }
  return {
    feesOf: (payment) =>
      SCHEDULED_FEE_TYPES.flatMap((type) => {
        const candidates = byTypeAndCurrency.get(keyOf(type, payment.currency)) ?? [];
        const row = candidates.find((one) => concerns(one, payment));
        return row === undefined ? [] : chargeOf(row, payment.amount);
      }),
  };
}

const keyOf = (type: ScheduledFeeType, currency: string): string => `${type} ${currency}`;

function weightOf({ rail, country, environment }: FeeRow): number {
  const named = [environment, country, rail].map((value) => (value === null ? 0 : 1));
  return named.reduce<number>((sum, one, place) => sum + one * (8 + 2 ** place), 0);
}

function concerns({ rail, country, environment }: FeeRow, payment: ChargedPayment): boolean {
  return (
    (rail ?? payment.rail) === payment.rail &&
    (country ?? payment.country) === payment.country &&
    (environment ?? payment.environment) === payment.environment
  );
}

const WHOLE_BPS = 10_000n;

/** Fixed part and share of the amount, the share rounded up, then held within the bounds. */
function chargeOf({ type, fixed, bps, min, max }: FeeRow, amount: bigint): PaymentFee[] {
  const share = divideRounded(amount * BigInt(bps), WHOLE_BPS, 'up');
  const least = min !== null && fixed + share < min ? min : fixed + share;
  const charged = max !== null && least > max ? max : least;
  if (charged === 0n) return [];
  return [{ type, amount: charged.toString(), bps: bps === 0 ? null : bps }];
}
