import { magicMinorPart } from '../../domain/money/amount.ts';

/** What becomes of a transfer's money; NOTHING is never decided and never answered. */
export type Outcome =
  'SETTLED' | 'SETTLED_LATER' | 'REJECTED' | 'REJECTED_LATER' | 'RETURNED_LATER' | 'NOTHING';

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

/** Questions of a `.03` or `.04` that the bank cannot answer yet. */
const UNKNOWN_ASKS = 2;
/** PUTs of one reference that a `.06` refuses with 503 before it takes one. */
export const REFUSALS_OF_06 = 4;

/** ACH settles in batches, after the answer; every other rail at once. */
export function plainBehaviour(rail: string): Behaviour {
  return rail === 'ACH' ? SETTLES_LATER : SETTLES;
}

/** Does this amount make the bank refuse its first `REFUSALS_OF_06` PUTs? */
export function isRefusedFirst(minor: bigint, currency: string): boolean {
  return magicMinorPart(minor, currency) === 6;
}

/** The behaviour that a magic amount asks for, or the rail's own. */
export function magicBehaviour(minor: bigint, currency: string, rail: string): Behaviour {
  switch (magicMinorPart(minor, currency)) {
    case 1:
      return { ...SETTLES_LATER, outcome: 'REJECTED_LATER', reason: 'ACCOUNT_NOT_FOUND' };
    case 2:
      return { ...SETTLES, outcome: 'RETURNED_LATER', reason: 'ACCOUNT_CLOSED' };
    case 3:
      return { ...SETTLES, unknownAsks: UNKNOWN_ASKS };
    case 4:
      return { ...rejects('ACCOUNT_NOT_FOUND'), unknownAsks: UNKNOWN_ASKS };
    case 5:
      return { ...SETTLES_LATER, outcome: 'NOTHING' };
    case 6:
      return SETTLES;
    case 7:
      return { ...SETTLES_LATER, callbacks: 'SHUFFLED' };
    default:
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
