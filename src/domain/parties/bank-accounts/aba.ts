import { weightedSum } from './weighted-sum.ts';

/**
 * Is this an ABA routing number: nine digits, of which 3-7-1 weights give a multiple of ten, and which
 * begin with a range that the ABA has opened (00-12 Federal Reserve, 21-32 thrifts, 61-72 electronic,
 * 80 traveller's cheques)? Source: ABA Routing Number Policy.
 */
export function isValidRoutingNumber(text: string): boolean {
  if (!/^(?:0[0-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2]|80)[0-9]{7}$/.test(text)) return false;
  // Nine zeros satisfy the sum and belong to no bank.
  return text !== '000000000' && weightedSum(text, [3, 7, 1]) % 10 === 0;
}
