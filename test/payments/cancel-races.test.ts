import { afterAll, beforeAll, expect, it } from 'vitest';
import { raceCancels, type Release } from './cancel-race.ts';
import { NEVER_SEEN, says } from './scripted-bank.ts';
import { startScriptedHarness, type ScriptedHarness } from './settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
  harness.bank.onPut = says('SETTLED');
  harness.bank.onGet = () => NEVER_SEEN;
});
afterAll(() => harness.close());

it.each<Release>(['TOGETHER', 'ALONE'])(
  'of a cancel and a release that go %s one wins: canceled and unsent, or refused and paid once',
  { timeout: 120_000 },
  async (release) => {
    const races = await raceCancels(harness, 100, release);
    console.log('cancel against release', release, races);
    expect(races.canceled + races.paid).toBe(100);
    expect(Math.min(races.canceled, races.paid)).toBeGreaterThan(0);
    await harness.expectBooksToHold();
  },
);
