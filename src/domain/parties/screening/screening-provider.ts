/** One name to look for, with what may narrow the search. */
export interface ScreeningSubject {
  /** Ours, opaque; the provider's hits name it. */
  readonly reference: string;
  readonly kind: 'PERSON' | 'ENTITY';
  /** Ways to write one name. */
  readonly names: readonly string[];
  /** YYYY-MM-DD. */
  readonly dateOfBirth?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
}

/** An entry of the list that a subject may be. */
export interface ScreeningHit {
  readonly reference: string;
  /** The list's own name of its entry. */
  readonly entryId: string;
  /** How alike the names are, 0 to 100. */
  readonly score: number;
  /** The listed name, where the provider tells it. */
  readonly name?: string;
}

export interface ScreeningResult {
  /** Which list was looked through. */
  readonly listVersion: string;
  readonly hits: readonly ScreeningHit[];
}

/** Looks names up in a sanctions list. Throws ScreeningError and nothing else. */
export interface ScreeningProvider {
  /** Throws also where `screen` still answers, by a list that may be an old one. */
  listVersion(): Promise<string>;
  screen(subjects: readonly ScreeningSubject[]): Promise<ScreeningResult>;
  /** The same without waiting; null where the provider is called over the network. */
  readonly screenNow: ((subjects: readonly ScreeningSubject[]) => ScreeningResult) | null;
  /**
   * Milliseconds after which a subject is looked up again although the list is the same; null where the
   * list's version tells of every change.
   */
  readonly maxAgeMs: number | null;
}

export type ScreeningFailure =
  /** No answer in time, or no connection. */
  | 'SCREENING_UNREACHABLE'
  /** An answer of 5xx: later may be better. */
  | 'SCREENING_FAILED'
  /** An answer of 4xx (or a redirect): our request or our settings are wrong. */
  | 'SCREENING_REFUSED'
  /** An answer too large, or not of the agreed shape. */
  | 'SCREENING_GARBLED'
  /** The list as it is now cannot be used; which version is meant is not known. */
  | 'SCREENING_LIST_UNUSABLE'
  /** The version was replaced by another one a short while ago: not every process has the same list yet. */
  | 'SCREENING_LIST_REPLACED'
  /** The environment has no list. */
  | 'SCREENING_NOT_CONFIGURED';

/** A closed code and nothing of what was asked or answered: that names persons. */
export class ScreeningError extends Error {
  readonly code: ScreeningFailure;

  constructor(code: ScreeningFailure) {
    super(code);
    this.name = 'ScreeningError';
    this.code = code;
  }
}
