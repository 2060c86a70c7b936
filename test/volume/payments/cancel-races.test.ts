import { afterAll, beforeAll, expect, it } from 'vitest';
import { raceCancels, startRaceHarness, type Release } from '../../support/payments/cancel-race.ts';
import type { ScriptedHarness } from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startRaceHarness();
});
afterAll(() => harness.close());

it.each<Release>(['TOGETHER', 'ALONE'])(
  'of 500 races of a cancel against a release that goes %s, none ends as both',
  { timeout: 600_000 },
  async (release) => {
    const races = await raceCancels(harness, 500, release);
    console.log('cancel against release', release, races);
    expect(races.canceled + races.paid).toBe(500);
    expect(Math.min(races.canceled, races.paid)).toBeGreaterThan(0);
    await harness.expectBooksToHold();
  },
);
