import type { Draw } from './draw.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What the bank does with an order. UNHEARD: it acts, and its answer gets lost. */
const ACTS = {
  SETTLES: 40,
  ACCEPTS_THEN_SETTLES: 14,
  ACCEPTS_THEN_REJECTS: 4,
  REJECTS: 8,
  /** For a reason that may pass: one to three times, then it settles. */
  REJECTS_FOR_NOW: 5,
  /** The same, for ever. */
  REJECTS_FOR_NOW_ALWAYS: 1,
  SETTLES_UNHEARD: 7,
  REJECTS_UNHEARD: 3,
  /** Settles, and answers later than the worker waits. */
  SETTLES_TOO_LATE: 1,
  /** The order gets lost on its way, once. */
  LOSES_ORDER: 4,
  /** Answers no question either; only its statement tells. */
  SETTLES_IN_SILENCE: 1,
  /** The same, each time. */
  LOSES_ORDER_ALWAYS: 1,
} as const;

export type BankAct = keyof typeof ACTS;

/** How money that comes back is told, and where: at once by callback, or by the statement alone. */
export interface ReturnPlan {
  readonly afterMs: number;
  /** Of a thousand parts of the amount, so many come back. */
  readonly perMille: number;
  readonly told: 'BY_CALLBACK' | 'BY_CALLBACK_WITHOUT_AMOUNT' | 'BY_STATEMENT';
  /** The callback says so many minor units less than the statement shows. */
  readonly understatedBy: number;
}

export interface BankPlan {
  readonly act: BankAct;
  /** Rejections for now before it settles. */
  readonly rejections: number;
  /** From acceptance to the callback with the outcome. */
  readonly decidesAfterMs: number;
  /** Questions that are not answered, either. */
  readonly unheardQuestions: number;
  /** So often each callback comes. */
  readonly copies: number;
  /** An outcome is told before the acceptance that it follows. */
  readonly isShuffled: boolean;
  readonly back: ReturnPlan | null;
  /** Its line is on the next day's statement once more. */
  readonly isBookedTwice: boolean;
}

export function planBank(draw: Draw): BankPlan {
  const act = draw.weighted(ACTS);
  return {
    act,
    rejections: act === 'REJECTS_FOR_NOW' ? draw.int(1, 3) : 0,
    decidesAfterMs: draw.pick([MINUTE_MS, HOUR_MS, 9 * HOUR_MS, 30 * HOUR_MS]),
    unheardQuestions: draw.int(0, 3),
    copies: draw.chance(15) ? draw.int(2, 4) : 1,
    isShuffled: draw.chance(20),
    back: draw.chance(14) ? planReturn(draw) : null,
    isBookedTwice: draw.chance(1),
  };
}

function planReturn(draw: Draw): ReturnPlan {
  return {
    afterMs: draw.pick([MINUTE_MS, 5 * HOUR_MS, DAY_MS, 2 * DAY_MS, 6 * DAY_MS]),
    perMille: draw.chance(50) ? 1_000 : draw.int(1, 999),
    told: draw.weighted({ BY_CALLBACK: 4, BY_CALLBACK_WITHOUT_AMOUNT: 2, BY_STATEMENT: 4 }),
    understatedBy: draw.chance(10) ? draw.int(1, 5) : 0,
  };
}
