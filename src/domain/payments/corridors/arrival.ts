import type { Corridor } from './corridor.ts';
import { bankingDayAfter, nextOpening } from './opening.ts';

/** Why it cannot be said when a payment arrives. */
export const NO_ARRIVAL_REASONS = [
  'SPEED_NOT_STATED',
  'HOLIDAYS_NOT_STATED',
  'RAIL_NEVER_OPENS',
] as const;

export type NoArrivalReason = (typeof NO_ARRIVAL_REASONS)[number];

/** The moment by which a beneficiary has the money, as far as the corridor's terms tell. */
type Arrival =
  | { readonly at: Date; readonly reason: null }
  | { readonly at: null; readonly reason: NoArrivalReason };

/**
 * What a rail that works round the clock is given, in ms: schemes promise seconds, and the rest is for
 * what is queued here and at the banks.
 */
export const ROUND_THE_CLOCK_MS = 10 * 60 * 1000;

export type Terms = Pick<Corridor, 'cutOff' | 'holidays' | 'settlementDays' | 'sources'>;

/**
 * When a payment that is ready to leave `from` is expected to be credited: on a rail that works round
 * the clock within ten minutes, on any other by the end of its last banking day. The bank's word counts,
 * once it has spoken; this is what the corridor's terms lead to. Null, with the reason, where they do not
 * tell.
 */
export function expectedArrival(terms: Terms, from: Date): Arrival {
  const { settlementDays, sources } = terms;
  const isRoundTheClock = isNone(terms, 'cutOff') && isNone(terms, 'holidays');
  if (isRoundTheClock && (settlementDays ?? 0) === 0) {
    return { at: new Date(from.getTime() + ROUND_THE_CLOCK_MS), reason: null };
  }
  if (settlementDays === null) return { at: null, reason: 'SPEED_NOT_STATED' };
  // Every day would count as a banking day: too early more often than not.
  if (sources.holidays === null) return { at: null, reason: 'HOLIDAYS_NOT_STATED' };
  const at = dayEnd(terms, settlementDays, from);
  return at === null ? { at, reason: 'RAIL_NEVER_OPENS' } : { at, reason: null };
}

/** What was found last with the terms, and in which minute: every payment asks for it. */
const found = new WeakMap<Terms, { readonly minute: number; readonly at: Date | null }>();

/** The end of the last banking day. Cut-offs and days begin with a minute, so all of a minute have the same. */
function dayEnd(terms: Terms, settlementDays: number, from: Date): Date | null {
  const minute = Math.floor(from.getTime() / MINUTE_MS);
  const last = found.get(terms);
  if (last?.minute === minute) return last.at;
  const leaves = nextOpening(terms, from);
  const at = leaves && bankingDayAfter(terms, leaves, settlementDays);
  found.set(terms, { minute, at });
  return at;
}

const MINUTE_MS = 60_000;

/** Whether a source states that there is none, which is more than that no source states one. */
const isNone = (terms: Terms, term: 'cutOff' | 'holidays'): boolean =>
  terms[term] === null && terms.sources[term] !== null;
