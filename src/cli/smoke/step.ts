import { setTimeout as pause } from 'node:timers/promises';
import type { Json, PartnerAnswer } from './partner-api.ts';

/** What became of a step. SKIPPED was not looked at, and is not said to have passed. */
export interface StepOutcome {
  readonly name: string;
  /** What was checked, why it failed or why it was skipped, in a sentence. */
  readonly said: string;
  readonly result: 'ok' | 'FAILED' | 'SKIPPED';
  readonly ms: number;
}

/** Something that did not hold. */
export class SmokeFailure extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'SmokeFailure';
  }
}

/** Something that cannot be looked at here. */
export class SmokeSkip extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'SmokeSkip';
  }
}

/** Throws SmokeFailure where something that must hold does not. */
export function mustHold(claim: boolean, otherwise: string): asserts claim {
  if (!claim) throw new SmokeFailure(otherwise);
}

const SHOWN_MAX = 300;

/** The body of an answer that must have a status. Throws SmokeFailure that names the code and the request's id. */
export function mustAnswer(answer: PartnerAnswer, status: number, what: string): Json {
  if (answer.status === status) return answer.body;
  const { error, message, requestId } = answer.body;
  const said =
    typeof error === 'string'
      ? `${error}: ${String(message)} (${String(requestId)})`
      : answer.text.slice(0, SHOWN_MAX);
  throw new SmokeFailure(
    `${what} was answered ${String(answer.status)}, not ${String(status)}: ${said}`,
  );
}

/** A text of an answer. Throws SmokeFailure where there is none. */
export function textOf(body: Json, name: string): string {
  const value = body[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new SmokeFailure(`an answer has no ${name}`);
}

/** An object of an answer; empty where there is none. */
export const objectOf = (body: Json, name: string): Json => {
  const value = body[name];
  return typeof value === 'object' && value !== null ? (value as Json) : {};
};

/** The rows of a list. Throws SmokeFailure where it is none. */
export function rowsOf(body: Json): readonly Json[] {
  const { data } = body;
  if (!Array.isArray(data)) throw new SmokeFailure('a list has no data');
  return data as readonly Json[];
}

const LOOK_EVERY_MS = 250;

/** Looks again and again until something is there. Throws SmokeFailure after the given time, saying what was last seen. */
export async function until<Found>(
  what: string,
  withinMs: number,
  look: () => Promise<{ readonly found: Found } | { readonly seen: string }>,
): Promise<Found> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const looked = await look();
    if ('found' in looked) return looked.found;
    if (performance.now() > deadline) {
      const seconds = String(withinMs / 1_000);
      throw new SmokeFailure(`${what}: not within ${seconds} s, last seen ${looked.seen}`);
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** A step of the day. `needs` names steps without which it cannot be taken. */
export interface Step<Day> {
  readonly name: string;
  readonly needs?: readonly string[];
  /** Answers what was checked. Throws SmokeFailure or SmokeSkip. */
  readonly take: (day: Day) => Promise<string>;
}

/** Takes steps in turn. One whose need did not hold is skipped. */
export async function takeSteps<Day>(
  steps: readonly Step<Day>[],
  day: Day,
  told: (outcome: StepOutcome) => void,
): Promise<StepOutcome[]> {
  const outcomes: StepOutcome[] = [];
  for (const { name, needs = [], take } of steps) {
    const startedAt = performance.now();
    const missing = needs.find(
      (need) => outcomes.find((one) => one.name === need)?.result !== 'ok',
    );
    const { result, said } =
      missing === undefined
        ? await outcomeOf(() => take(day))
        : { result: 'SKIPPED' as const, said: `needs "${missing}"` };
    const outcome = { name, said, result, ms: Math.round(performance.now() - startedAt) };
    outcomes.push(outcome);
    told(outcome);
  }
  return outcomes;
}

async function outcomeOf(
  take: () => Promise<string>,
): Promise<Pick<StepOutcome, 'result' | 'said'>> {
  try {
    return { result: 'ok', said: await take() };
  } catch (error) {
    if (error instanceof SmokeSkip) return { result: 'SKIPPED', said: error.message };
    if (error instanceof SmokeFailure) return { result: 'FAILED', said: error.message };
    const { code, message } = error as NodeJS.ErrnoException;
    return { result: 'FAILED', said: `no answer (${code ?? message})` };
  }
}
