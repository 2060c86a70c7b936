import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import { NEVER_SEEN, says } from './scripted-bank.ts';
import { startScriptedHarness, type ScriptedHarness } from './settlement-harness.ts';

/** Settlement against a bank that settles what it is sent, and says so where its answer came too late. */
export async function startRaceHarness(): Promise<ScriptedHarness> {
  const harness = await startScriptedHarness();
  const { bank } = harness;
  const sent = new Set<string>();
  bank.onPut = (call) => {
    sent.add(call.reference);
    return says('SETTLED')(call);
  };
  bank.onGet = (call) => (sent.has(call.reference) ? says('SETTLED')(call) : NEVER_SEEN);
  return harness;
}

/** How release goes: claims of a scope together in one statement, or each under its payment's lock. */
export type Release = 'TOGETHER' | 'ALONE';

/** Races that run at the same time: claims that come together share transactions. */
const WAVE = 10;

/**
 * One goes ahead of the other by none, 1, 2 ... times as many turns of the event loop, race by race. A
 * release has the longer way: it waits for the bank, and claims wait for one another.
 */
const CANCEL_TURNS_AHEAD = 6;
const RELEASE_TURNS_AHEAD = 400;

export interface Races {
  readonly canceled: number;
  readonly paid: number;
}

/**
 * Races of a cancel against the release of the same payment. Fails where a payment is both, or neither:
 * canceled and moved at the bank, or refused and not paid. Answers how often each won.
 */
export async function raceCancels(
  harness: ScriptedHarness,
  count: number,
  release: Release,
): Promise<Races> {
  const races = { canceled: 0, paid: 0 };
  for (let done = 0; done < count; done += WAVE) {
    const size = Math.min(WAVE, count - done);
    const ids = await Promise.all(Array.from({ length: size }, () => harness.accept()));
    const isCancelFirst = (done / WAVE) % 2 === 0;
    const race = (id: string, index: number) =>
      raceOne(harness, id, {
        release,
        isCancelFirst,
        turns: index * (isCancelFirst ? CANCEL_TURNS_AHEAD : RELEASE_TURNS_AHEAD),
      });
    const answers = await Promise.all(ids.map(race));
    for (const [index, id] of ids.entries()) {
      const { payment, attempts } = await harness.drive(id);
      const isCanceled = payment.status === 'CANCELED';
      expect([answers[index], payment.status]).toEqual(
        isCanceled ? [200, 'CANCELED'] : [409, 'COMPLETED'],
      );
      const moved = harness.bank.puts().filter((put) => {
        return attempts.some(({ reference }) => reference === put.reference);
      });
      expect(moved, `${id} is ${payment.status}`).toHaveLength(isCanceled ? 0 : 1);
      races[isCanceled ? 'canceled' : 'paid'] += 1;
    }
  }
  return races;
}

interface Course {
  readonly release: Release;
  readonly isCancelFirst: boolean;
  /** By which the first goes ahead. */
  readonly turns: number;
}

/** The cancel's HTTP status. */
async function raceOne(
  harness: ScriptedHarness,
  paymentId: string,
  { release, isCancelFirst, turns }: Course,
): Promise<number> {
  const cancel = () => harness.ask({ method: 'POST', url: `/payments/${paymentId}/cancel` });
  const ref = { ...harness.scope, paymentId, isFirst: release === 'TOGETHER' };
  const settle = () => harness.activities.settle(ref);
  const first = isCancelFirst ? cancel() : settle();
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  const second = isCancelFirst ? settle() : cancel();
  await Promise.all([first, second]);
  const answer = (await (isCancelFirst ? first : second)) as Awaited<ReturnType<typeof cancel>>;
  return answer.statusCode;
}
