import { digitToTen, weightedSum } from './weighted-sum.ts';

/**
 * Is this a CLABE (Mexico, 18 digits): bank, place, account, and a control digit by weights 3-7-1
 * where each product counts modulo ten? Source: Asociación de Bancos de México, CLABE standard.
 */
export function isValidClabe(text: string): boolean {
  if (!/^[0-9]{18}$/.test(text)) return false;
  // Modulo ten per product or over the whole sum is the same digit.
  return digitToTen(weightedSum(text.slice(0, 17), [3, 7, 1])) === text[17];
}
