import { magicMinorPart } from '../../domain/money/amount.ts';
import { BANK_FAULTS, type BankFault } from '../../domain/sandbox/bank-faults.ts';

/**
 * What becomes of a transfer's money by itself. NOTHING is never decided and never answered, UNDECIDED answered alone.
 */
type Outcome =
  | 'SETTLED'
  | 'SETTLED_LATER'
  | 'REJECTED'
  | 'REJECTED_LATER'
  | 'RETURNED_LATER'
  | 'UNDECIDED'
  | 'NOTHING';

/** What the bank does with one transfer, fixed when it is received and kept in the journal. */
export interface Behaviour {
  readonly outcome: Outcome;
  /** The status in the answer to the PUT, the first time and at every repeat. */
  readonly answers: 'ACCEPTED' | 'SETTLED' | 'REJECTED';
  /** Of a rejection or a return. */
  readonly reason?: string;
  /** WHOLE where it is left out. NINE_TENTHS: the bank keeps the rest, as a correspondent's fee. */
  readonly givesBack?: 'WHOLE' | 'NINE_TENTHS';
  /** So many questions get a 500, and every PUT a closed connection, before the truth is told. */
  readonly unknownAsks: number;
  /** CHANGES: one callback for each change after the answer. */
  readonly callbacks: 'CHANGES' | 'SHUFFLED';
}

/** How the answer to one PUT goes wrong, whatever has become of the money. */
export type AnswerFlaw =
  | { readonly kind: 'NONE' }
  | { readonly kind: 'DROP' }
  | { readonly kind: 'ERROR_500' }
  | { readonly kind: 'HANG' }
  | { readonly kind: 'GARBAGE' }
  | { readonly kind: 'WAIT'; readonly ms: number }
  | { readonly kind: 'CALLBACK_FIRST' };

export const NO_FLAW: AnswerFlaw = { kind: 'NONE' };

export const SETTLES: Behaviour = {
  outcome: 'SETTLED',
  answers: 'SETTLED',
  unknownAsks: 0,
  callbacks: 'CHANGES',
};

export const SETTLES_LATER: Behaviour = {
  ...SETTLES,
  outcome: 'SETTLED_LATER',
  answers: 'ACCEPTED',
};

/** Questions about what is settled or rejected unanswered that the bank cannot answer yet. */
const UNKNOWN_ASKS = 2;
/** PUTs of one reference that are refused with 503 as UNAVAILABLE before it is taken. */
export const REFUSALS_MAX = 4;

/** ACH settles in batches, after the answer; every other rail at once. */
const plainBehaviour = (rail: string): Behaviour => (rail === 'ACH' ? SETTLES_LATER : SETTLES);

/** The fault that the cents of an amount choose; null for one that goes well. */
export function faultByCents(minor: bigint, currency: string): BankFault | null {
  const part = magicMinorPart(minor, currency);
  // What is decided by hand alone has no cents.
  if (part === null || part < 1 || part > 7) return null;
  return BANK_FAULTS[part - 1] ?? null;
}

/** What a transfer does that meets a fault, or none. */
export function behaviourOf(fault: BankFault | null, rail: string): Behaviour {
  switch (fault) {
    case 'REJECTED':
      return { ...SETTLES_LATER, outcome: 'REJECTED_LATER', reason: 'ACCOUNT_NOT_FOUND' };
    case 'RETURNED':
      return { ...SETTLES, outcome: 'RETURNED_LATER', reason: 'ACCOUNT_CLOSED' };
    case 'SETTLED_UNANSWERED':
      return { ...SETTLES, unknownAsks: UNKNOWN_ASKS };
    case 'REJECTED_UNANSWERED':
      return { ...rejects('ACCOUNT_NOT_FOUND'), unknownAsks: UNKNOWN_ASKS };
    case 'NEVER_ANSWERED':
      return { ...SETTLES_LATER, outcome: 'NOTHING' };
    case 'UNAVAILABLE':
      return SETTLES;
    case 'CALLBACKS_SHUFFLED':
      return { ...SETTLES_LATER, callbacks: 'SHUFFLED' };
    case 'UNDECIDED':
      return { ...SETTLES_LATER, outcome: 'UNDECIDED' };
    case null:
      return plainBehaviour(rail);
  }
}

/** Settles, and is given back later less a deduction. */
export const RETURNS_LESS: Behaviour = {
  ...SETTLES,
  outcome: 'RETURNED_LATER',
  reason: 'ACCOUNT_CLOSED',
  givesBack: 'NINE_TENTHS',
};

/** What the bank gives back of an amount, in minor units, rounded up: never nothing. */
export function returnedMinor(amountMinor: bigint, { givesBack }: Behaviour): bigint {
  return givesBack === 'NINE_TENTHS' ? (amountMinor * 9n + 9n) / 10n : amountMinor;
}

export function rejects(reason: string): Behaviour {
  return { ...SETTLES, outcome: 'REJECTED', answers: 'REJECTED', reason };
}
