/**
 * What can go wrong with a payment at the sandbox bank. The first seven are chosen by the cents of an
 * amount too, in this order from .01 on (docs/reference/sandbox.md). UNDECIDED: accepted, and decided by `advance` alone.
 */
export const BANK_FAULTS = [
  'REJECTED',
  'RETURNED',
  'SETTLED_UNANSWERED',
  'REJECTED_UNANSWERED',
  'NEVER_ANSWERED',
  'UNAVAILABLE',
  'CALLBACKS_SHUFFLED',
  'UNDECIDED',
] as const;

export type BankFault = (typeof BANK_FAULTS)[number];

/** How many payments a fault may be armed for at once. */
export const FAULT_COUNT_MAX = 100;

/** How long an armed fault waits for payments, in ms. */
export const FAULT_LIFE_MS = 60 * 60 * 1000;

/** How many faults of a customer may wait at a time. */
export const ARMED_FAULTS_MAX = 20;

/** A fault that the next payments of a customer meet. */
export interface FaultOrder {
  /** Chosen by the caller: one order an id, however often it is made. */
  readonly id: string;
  /** The customer, as the bank knows it from `onBehalfOf`. */
  readonly onBehalfOf: string;
  readonly fault: BankFault;
  /** How many payments meet it, from 1 to FAULT_COUNT_MAX. */
  readonly count: number;
}

/** A fault as the bank keeps it. */
export interface ArmedFault {
  readonly fault: BankFault;
  /** How many payments it was armed for. */
  readonly count: number;
  /** How many of them have not met it yet. */
  readonly left: number;
  /** ISO 8601 in UTC. */
  readonly armedAt: string;
  /** From then on no payment meets it. */
  readonly endsAt: string;
}
