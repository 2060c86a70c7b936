import type { AttemptPhase } from '../../../domain/payments/attempt.ts';
import { codeText, reasonOf } from '../../../domain/payments/failures/rail-reasons.ts';

/** Words with the code that they stand for; null where there is none. */
export interface WordsAndCode {
  readonly words: string;
  readonly code: string | null;
}

/** How far an attempt is. */
const PHASES: Readonly<Record<AttemptPhase, string>> = {
  READY: 'Not sent yet',
  SENDING: 'Being sent',
  NOT_SENT: 'Not sent: no byte reached the bank',
  UNKNOWN: 'Outcome unknown',
  ACCEPTED: 'Accepted, not settled',
  SETTLED: 'Paid',
  REJECTED: 'Rejected',
  RETURNED: 'Returned',
};

export const phaseWords = (phase: string): string =>
  Object.hasOwn(PHASES, phase) ? PHASES[phase as AttemptPhase] : phase;

/** The answers of a connector, by their codes: see `TransferAnswer` and `Why`. */
const ANSWERS: Readonly<Record<string, string>> = {
  ACCEPTED: 'It accepted the payment.',
  SETTLED: 'It paid.',
  REJECTED: 'It rejected the payment.',
  RETURNED: 'It returned the money.',
  NEVER_SEEN: 'It never received this reference.',
  CONNECT_TIMEOUT: 'The connection timed out.',
  CONNECT_FAILED: 'The connection failed.',
  DNS_FAILED: 'Its address could not be resolved.',
  TLS_FAILED: 'The TLS connection failed.',
  TIMEOUT: 'It did not answer in time.',
  RESET: 'The connection broke before it answered.',
  GARBAGE: 'Its answer could not be read.',
  TOO_LARGE: 'Its answer was too large.',
  NO_BOOK: 'The network’s own records could not be read.',
  OTHER_ORDER: 'It has this reference with another order.',
  HTTP_401: 'It did not accept the credentials.',
  HTTP_403: 'It did not permit the request.',
  HTTP_409: 'It has this reference with other content.',
};

/** The last answer of a bank or network in words, its code beside it. */
export function answerWords(lastAnswer: string | null): WordsAndCode {
  if (lastAnswer === null) return { words: 'None yet.', code: null };
  const known = Object.hasOwn(ANSWERS, lastAnswer) ? ANSWERS[lastAnswer] : undefined;
  if (known !== undefined) return { words: known, code: lastAnswer };
  const status = /^HTTP_([0-9]{3})$/.exec(lastAnswer)?.[1];
  return status === undefined
    ? { words: lastAnswer, code: null }
    : { words: `It answered with HTTP status ${status}.`, code: lastAnswer };
}

/**
 * Why a bank rejected or returned a payment: the words of the registry of reasons, the bank's code beside them. Null
 * where it gave none. A code that the registry does not know stands alone, and reasons of compliance have no code.
 */
export function reasonWords(reason: string | null, phase: string): WordsAndCode | null {
  if (reason === null) return null;
  const known = reasonOf(reason, phase === 'RETURNED' ? 'RETURNED' : 'REJECTED');
  if (known.code !== 'unspecified') return { words: known.message, code: known.railCode };
  const code = codeText(reason);
  return code === null
    ? { words: 'The bank gave its reason as text, which is not shown.', code: null }
    : { words: `The bank gave the reason ${code}.`, code: null };
}
