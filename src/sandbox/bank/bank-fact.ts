import type { BankFault } from '../../domain/sandbox/bank-faults.ts';
import type { Behaviour } from './behaviour.ts';

export type TransferStatus = 'ACCEPTED' | 'SETTLED' | 'REJECTED' | 'RETURNED';

interface TransferFactOf<Name extends string> {
  readonly fact: Name;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly reference: string;
}

interface MovementFactOf<Name extends string> extends TransferFactOf<Name> {
  /** Decimal text with exactly the currency's decimals. */
  readonly amount: string;
  readonly currency: string;
}

export interface ReceivedFact extends MovementFactOf<'RECEIVED'> {
  readonly rail: string;
  readonly bankReference: string;
  /** All that is kept of the creditor: enough to tell a repeat from another body. */
  readonly bodyHash: string;
  readonly behaviour: Behaviour;
}

/** Money left the account. There is one at most for each reference. */
export type ExecutedFact = MovementFactOf<'EXECUTED'>;

interface RejectedFact extends TransferFactOf<'REJECTED'> {
  readonly reason: string;
}

/** The money came back: `amount` of it, less than was sent where the bank keeps a deduction. */
export interface ReturnedFact extends MovementFactOf<'RETURNED'> {
  readonly reason: string;
}

type RefusedFact = TransferFactOf<'REFUSED_503'>;

/** The next transfers of a customer meet a fault, until so many have or its time is over. */
export interface FaultArmedFact {
  readonly fact: 'FAULT_ARMED';
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly id: string;
  readonly onBehalfOf: string;
  readonly what: BankFault;
  readonly count: number;
  readonly endsAt: string;
}

/** The first request of a transfer met a fault that was armed: the reference keeps it. */
interface FaultMetFact extends TransferFactOf<'FAULT_MET'> {
  /** The armed fault's id. */
  readonly armed: string;
  readonly what: BankFault;
}

/** The bank was told to move on with it, and hides nothing of it from then on. */
type AdvancedFact = TransferFactOf<'ADVANCED'>;

interface CallbackFact extends TransferFactOf<'CALLBACK_SENT' | 'CALLBACK_ABANDONED'> {
  /** The place in the transfer's list of callbacks, from 0. */
  readonly index: number;
  readonly id: string;
}

/** A payer paid into the account. */
export interface DepositedFact {
  readonly fact: 'DEPOSITED';
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Chosen by the caller that told the bank of it; there is one fact at most for each. */
  readonly deposit: string;
  /** Decimal text with exactly the currency's decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly bankReference: string;
  /** What the payer wrote. */
  readonly remittance: string;
}

/** The payer's bank took a deposit back, whole. */
interface DepositReversedFact {
  readonly fact: 'DEPOSIT_REVERSED';
  readonly at: string;
  readonly deposit: string;
}

export interface StatementCutFact {
  readonly fact: 'STATEMENT_CUT';
  readonly at: string;
  readonly id: string;
  /** Over all accounts, from 1, without gaps. */
  readonly sequence: number;
  readonly account: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  /** Decimal text, negative when overdrawn. */
  readonly opening: string;
  readonly closing: string;
  /** The movements of the account that it holds: `lines` of them after the first `after`. */
  readonly after: number;
  readonly lines: number;
}

export type TransferFact =
  | ReceivedFact
  | ExecutedFact
  | RejectedFact
  | ReturnedFact
  | RefusedFact
  | FaultMetFact
  | AdvancedFact
  | CallbackFact;

export type DepositFact = DepositedFact | DepositReversedFact;

export type BankFact = TransferFact | DepositFact | FaultArmedFact | StatementCutFact;
