import { digitToTen, weightedSum } from './weighted-sum.ts';

/**
 * Is this a NUBAN (Nigeria): nine digits of serial and a check digit over bank code and serial by
 * weights 3-7-3? The bank code is the Central Bank's: three digits for deposit money banks, six that
 * begin with 9 for others; not the six-digit NIP routing code. Source: CBN, Revised Standards on
 * NUBAN (2020), annex on the check digit.
 */
export function isValidNuban(bankCode: string, accountNumber: string): boolean {
  if (!/^(?:[0-9]{3}|9[0-9]{5})$/.test(bankCode) || !/^[0-9]{10}$/.test(accountNumber))
    return false;
  const checked = bankCode + accountNumber.slice(0, 9);
  return digitToTen(weightedSum(checked, [3, 7, 3])) === accountNumber[9];
}
