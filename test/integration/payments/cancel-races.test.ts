import { afterAll, beforeAll, expect, it } from 'vitest';
import { raceCancels, startRaceHarness, type Release } from '../../support/payments/cancel-race.ts';
import type { ScriptedHarness } from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startRaceHarness();
});
afterAll(() => harness.close());

it.each<Release>(['TOGETHER', 'ALONE'])(
  'of a cancel and a release that go %s one wins: canceled and unsent, or refused and paid once',
  async (release) => {
    const races = await raceCancels(harness, 30, release);
    console.log('cancel against release', release, races);
    expect(races.canceled + races.paid).toBe(30);
    expect(Math.min(races.canceled, races.paid)).toBeGreaterThan(0);
    await harness.expectBooksToHold();
  },
);
