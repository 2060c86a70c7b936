import type { Behaviour } from './behaviour.ts';

export type TransferStatus = 'ACCEPTED' | 'SETTLED' | 'REJECTED' | 'RETURNED';

interface TransferFactOf<Name extends string> {
  fact: Name;
  /** ISO 8601, UTC. */
  at: string;
  reference: string;
}

interface MovementFactOf<Name extends string> extends TransferFactOf<Name> {
  /** Decimal text with exactly the currency's decimals. */
  amount: string;
  currency: string;
}

export interface ReceivedFact extends MovementFactOf<'RECEIVED'> {
  rail: string;
  bankReference: string;
  /** All that is kept of the creditor: enough to tell a repeat from another body. */
  bodyHash: string;
  behaviour: Behaviour;
}

/** Money left the account. There is one at most for each reference. */
export type ExecutedFact = MovementFactOf<'EXECUTED'>;

export interface RejectedFact extends TransferFactOf<'REJECTED'> {
  reason: string;
}

/** The money came back. */
export interface ReturnedFact extends MovementFactOf<'RETURNED'> {
  reason: string;
}

export type RefusedFact = TransferFactOf<'REFUSED_503'>;

export interface CallbackFact extends TransferFactOf<'CALLBACK_SENT' | 'CALLBACK_ABANDONED'> {
  /** The place in the transfer's list of callbacks, from 0. */
  index: number;
  id: string;
}

export interface StatementCutFact {
  fact: 'STATEMENT_CUT';
  at: string;
  id: string;
  /** Over all accounts, from 1, without gaps. */
  sequence: number;
  account: string;
  currency: string;
  from: string;
  to: string;
  /** Decimal text, negative when overdrawn. */
  opening: string;
  closing: string;
  /** The movements of the account that it holds: `lines` of them after the first `after`. */
  after: number;
  lines: number;
}

export type TransferFact =
  ReceivedFact | ExecutedFact | RejectedFact | ReturnedFact | RefusedFact | CallbackFact;

export type BankFact = TransferFact | StatementCutFact;
