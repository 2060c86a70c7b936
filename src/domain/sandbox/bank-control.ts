import type { ArmedFault, FaultOrder } from './bank-faults.ts';

/** Where the sandbox bank can be told to move a transfer. ON_STATEMENT: its statement is cut now. */
export const BANK_MOVES = ['SETTLED', 'REJECTED', 'RETURNED', 'ON_STATEMENT'] as const;

export type BankMove = (typeof BANK_MOVES)[number];

export interface AdvanceOrder {
  /** Ours, as the bank was sent it. */
  readonly reference: string;
  readonly to: BankMove;
  /** The bank's word for a rejection or a return; left out, one of its own. */
  readonly reason?: string;
}

/**
 * Why the sandbox did not do what it was told. NOT_POSSIBLE: it stands where it cannot go there from. UNKNOWN: it
 * has not been told of it. TOO_MANY: as many wait as may. OTHER_ORDER: the id is another order's. NO_CONTROL_API: what
 * answers is no sandbox. SILENCE: no answer that can be read; to try again is safe.
 */
export type ControlRefusal =
  'NOT_POSSIBLE' | 'UNKNOWN' | 'TOO_MANY' | 'OTHER_ORDER' | 'NO_CONTROL_API' | 'SILENCE';

/** Directs the sandbox bank of the test environment. Never throws for what the bank or the network does. */
export interface SandboxBankControl {
  /** Moves a transfer as the bank itself would; one that is there already stays as it is. */
  advance(order: AdvanceOrder): Promise<'DONE' | ControlRefusal>;
  /** Arms a fault; the same order again answers how it stands. */
  arm(order: FaultOrder): Promise<ArmedFault | ControlRefusal>;
  /** A customer's faults that still wait for payments, oldest first. */
  listArmed(onBehalfOf: string): Promise<readonly ArmedFault[] | ControlRefusal>;
}
