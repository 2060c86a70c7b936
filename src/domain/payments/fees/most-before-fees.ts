import { sumFees, type PaymentFee } from './payment-fee.ts';

/**
 * The most that leaves room for its fees in what is paid; zero where they leave none. By halving. All in the same
 * minor units; of more, the fees are never less.
 */
export function mostBeforeFees(
  paid: bigint,
  feesOf: (amount: bigint) => readonly PaymentFee[],
): bigint {
  let fits = 0n;
  let exceeds = paid + 1n;
  while (exceeds - fits > 1n) {
    const middle = (fits + exceeds) / 2n;
    if (middle + sumFees(feesOf(middle)) <= paid) fits = middle;
    else exceeds = middle;
  }
  return fits;
}
