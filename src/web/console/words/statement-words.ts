import type { UnmatchedReason } from '../../../domain/ledger/funding/judge-credit.ts';
import type { WordsAndCode } from './bank-answer-words.ts';

/** Exceptions of lines, and problems of statements. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  AMOUNT_MISMATCH: 'The amount differs from the payment’s',
  UNEXPECTED_AT_BANK: 'Money left the account that no payment explains',
  DUPLICATE_AT_BANK: 'The bank booked the payment more than once',
  UNKNOWN_RETURN: 'Money came in that belongs to no payment or customer',
  LATE: 'Money moved for a payment that had ended',
  POSSIBLE_DUPLICATE: 'It may be the same booking as an earlier credit',
  UNPROVEN_SUM: 'It waits because the sums of its statement do not add up',
  BALANCE_MISMATCH: 'The lines do not add up to the closing balance',
  BALANCE_UNCHECKED: 'The balance could not be checked',
  BATCH_MISMATCH: 'A batch does not add up to its entries',
  ENTRY_UNREADABLE: 'An entry could not be read',
  MORE_PROBLEMS: 'There are more problems than are listed',
  UNREADABLE: 'The statement could not be read',
  SEQUENCE_GAP: 'A number of a statement before it is missing',
  SEQUENCE_JUMP: 'Its number does not follow the one before',
  SEQUENCE_RESTART: 'The numbering of statements began anew',
  MISSING_AT_BANK: 'No statement shows the payment',
  LATE_RETURN: 'Money came back after the payment was final',
};

/** What is wrong with a line or a statement; the code alone where it has no words. */
export function exceptionWords(code: string): WordsAndCode {
  const words = Object.hasOwn(EXCEPTIONS, code) ? EXCEPTIONS[code] : undefined;
  return words === undefined ? { words: code, code: null } : { words, code };
}

const UNMATCHED: Readonly<Record<UnmatchedReason, string>> = {
  NO_REFERENCE: 'It has no funding reference.',
  UNKNOWN_REFERENCE: 'Its reference belongs to no customer.',
  SEVERAL_REFERENCES: 'It has the references of several customers or currencies.',
  WRONG_CURRENCY: 'Its reference is for another currency.',
  PAYOUT_REFERENCE: 'It has the reference of a payout, but the bank does not call it a return.',
  MARKED_RETURN: 'The bank marks it as a return, and it names no payment.',
  REVERSED_FIRST: 'The bank reversed it before it was booked.',
  POSSIBLE_DUPLICATE: 'It may be the same booking as an earlier credit.',
  AMOUNT_UNUSABLE: 'Its amount or currency cannot be held in a balance.',
};

/** Why no customer was credited. */
export const unmatchedWords = (reason: UnmatchedReason | null): WordsAndCode =>
  reason === null ? { words: '–', code: null } : { words: UNMATCHED[reason], code: reason };

interface StatusWords {
  readonly text: string;
  readonly sentence: string;
}

const STATUSES: Readonly<Record<string, StatusWords>> = {
  LISTED: {
    text: 'Listed',
    sentence: 'The bank listed this statement. The engine has not read it yet.',
  },
  READ: { text: 'Read', sentence: 'The engine read this statement and is matching its lines.' },
  RECONCILED: { text: 'Reconciled', sentence: 'The engine matched every line of this statement.' },
  UNREADABLE: {
    text: 'Cannot be read',
    sentence:
      'The engine cannot read this statement. Ask the bank for a corrected one: the engine reads it again on its own.',
  },
  REFUSED: {
    text: 'Refused',
    sentence:
      'The engine refused this statement, because its number does not follow the one before. A statement may be missing.',
  },
};

/** Where a statement stands. */
export const statementWords = (status: string): StatusWords =>
  STATUSES[status] ?? { text: status, sentence: `Its status is ${status}.` };
