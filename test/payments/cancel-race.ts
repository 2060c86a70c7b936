import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'vitest';
import type { ScriptedHarness } from './settlement-harness.ts';

/** How release goes: claims of a scope together in one statement, or each under its payment's lock. */
export type Release = 'TOGETHER' | 'ALONE';

/** Races that run at the same time: claims that come together share transactions. */
const WAVE = 10;

/** So many turns of the event loop at the most does the release let the cancel go ahead. */
const HEAD_START_TURNS_MAX = 40;

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
    const headStart = (done / WAVE) % HEAD_START_TURNS_MAX;
    const answers = await Promise.all(ids.map((id) => raceOne(harness, id, release, headStart)));
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

/** The cancel's HTTP status. */
async function raceOne(
  harness: ScriptedHarness,
  paymentId: string,
  release: Release,
  headStart: number,
): Promise<number> {
  const cancel = harness.ask({ method: 'POST', url: `/payments/${paymentId}/cancel` });
  for (let turn = 0; turn < headStart; turn += 1) await nextTurn();
  const ref = { ...harness.scope, paymentId, isFirst: release === 'TOGETHER' };
  await harness.activities.settle(ref);
  return (await cancel).statusCode;
}
