/** Sum of digit times weight, the weights repeated as often as the digits need. Digits only. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    sum += Number(digits[i]) * (weights[i % weights.length] ?? 0);
  }
  return sum;
}

/** The digit that brings a sum to a multiple of ten. */
export function digitToTen(sum: number): string {
  return String((10 - (sum % 10)) % 10);
}
