import { digitToTen, weightedSum } from './weighted-sum.ts';

/**
 * Is this a CBU (Argentina, 22 digits): a block of eight (bank, branch) and one of fourteen (account),
 * each ending in its own check digit by weights 7-1-3-9, aligned to the right? Source: BCRA,
 * Sistema Nacional de Pagos.
 */
export function isValidCbu(text: string): boolean {
  if (!/^[0-9]{22}$/.test(text)) return false;
  const bankBlock = text.slice(0, 8);
  const accountBlock = text.slice(8);
  return endsInCheckDigit(bankBlock, [7, 1, 3, 9]) && endsInCheckDigit(accountBlock, [3, 9, 7, 1]);
}

function endsInCheckDigit(block: string, weights: readonly number[]): boolean {
  return digitToTen(weightedSum(block.slice(0, -1), weights)) === block.at(-1);
}
