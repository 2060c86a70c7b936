import type { NameCheck, NameQuestion } from './name-check.ts';

/** Compares a name with the one that the account's bank knows. Throws NameCheckError and nothing else. */
export interface NameCheckProvider {
  check(question: NameQuestion): Promise<NameCheck>;
}

type NameCheckFailure =
  /** No answer in time, or no connection. */
  | 'NAME_CHECK_UNREACHABLE'
  /** An answer of 5xx: later may be better. */
  | 'NAME_CHECK_FAILED'
  /** An answer of 4xx (or a redirect): our request or our settings are wrong. */
  | 'NAME_CHECK_REFUSED'
  /** An answer too large, or not of the agreed shape. */
  | 'NAME_CHECK_GARBLED';

/** A closed code and nothing of what the provider wrote: that may name a person. */
export class NameCheckError extends Error {
  readonly code: NameCheckFailure;

  constructor(code: NameCheckFailure) {
    super(code);
    this.name = 'NameCheckError';
    this.code = code;
  }
}
