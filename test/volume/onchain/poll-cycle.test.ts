import { expect, it } from 'vitest';
import { playWatch } from '../../support/onchain/simulation/play-watch.ts';
import { seedOf, sizeOf } from '../../support/campaign.ts';

const GIVEN = sizeOf(100_000, 1_000_000);
const WATCHED = 10_000;
const MINUTES = sizeOf(2, 10);
const POLL_MS_MAX = 2_000;

it(`a poll cycle with ${String(GIVEN)} addresses given out and ${String(WATCHED)} watched takes less than two seconds of round trips`, async () => {
  const lastsMs = MINUTES * 60_000;
  const figures = await playWatch(seedOf(30), { given: GIVEN, watched: WATCHED, lastsMs });
  console.log(JSON.stringify({ given: GIVEN, watched: WATCHED, ...figures }));
  expect(figures.worst.simulatedMs).toBeLessThan(POLL_MS_MAX);
  // Each ends within twice its bound and a rest.
  expect(figures.polls).toBeGreaterThan(lastsMs / 10_000);
  expect(figures.credited).toBeGreaterThan(0);
}, 3_600_000);
