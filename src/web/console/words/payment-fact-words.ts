import type { LineOfPayment } from '../../../db/reconciliation/statement-page-store.ts';
import type { FundsStatus } from '../../../domain/payments/payment-states.ts';
import type { WordsAndCode } from './bank-answer-words.ts';
import { exceptionWords } from './statement-words.ts';

const FUNDS: Readonly<Record<FundsStatus, string>> = {
  AWAITED: 'Waiting for a deposit',
  ARRIVING: 'Arriving with a deposit',
  HELD: 'Reserved in the customer’s balance',
  IN_RAIL: 'With the bank or network',
  DELIVERED: 'With the beneficiary',
  BACK_IN_BALANCE: 'Back in the customer’s balance',
  UNKNOWN: 'Unknown: the bank or network may have paid',
};

const RECONCILIATION: Readonly<Record<string, string>> = {
  PENDING: 'Not on a statement yet',
  RECONCILED: 'A statement confirms it',
  EXCEPTION: 'Something contradicts it',
};

const coded = (words: Readonly<Record<string, string>>, code: string): WordsAndCode => {
  const known = Object.hasOwn(words, code) ? words[code] : undefined;
  return known === undefined ? { words: code, code: null } : { words: known, code };
};

/** Where the money is. */
export const fundsWords = (status: string): WordsAndCode => coded(FUNDS, status);

/** What statements say of a payment. */
export const reconciliationWords = (status: string): WordsAndCode => coded(RECONCILIATION, status);

export const environmentWords = (environment: string): string =>
  environment === 'live' ? 'Live' : 'Test';

/** What a statement line of a payment shows. */
export function lineWords(line: Pick<LineOfPayment, 'direction' | 'outcome' | 'exception'>) {
  if (line.exception !== null) return exceptionWords(line.exception);
  const words = line.direction === 'DBIT' ? 'money left the account' : 'money came back';
  return { words, code: line.outcome };
}
