import { DEFAULT_CALLBACK_TIMINGS } from '../callback-sender.ts';
import type { CallbackTimings } from '../callback-sender.ts';

/** How fast the sandbox bank is; everything in milliseconds. */
export interface BankTimings {
  /** From ACCEPTED to SETTLED or REJECTED. */
  readonly decideAfterMs: number;
  /** From SETTLED to RETURNED. */
  readonly returnAfterMs: number;
  readonly statementEveryMs: number;
  /** Between execution and answer, for every PUT. */
  readonly executeDelayMs: number;
  /** Between the callbacks of a shuffled set. */
  readonly callbackSpacingMs: number;
  /** How long `settle_before_answer` holds the answer back for its callback. */
  readonly callbackFirstMaxMs: number;
  readonly callbacks: CallbackTimings;
}

export const DEFAULT_BANK_TIMINGS: BankTimings = {
  decideAfterMs: 300,
  returnAfterMs: 2_000,
  statementEveryMs: 5_000,
  executeDelayMs: 0,
  callbackSpacingMs: 50,
  callbackFirstMaxMs: 1_500,
  callbacks: DEFAULT_CALLBACK_TIMINGS,
};
