import { expect, it } from 'vitest';
import { killDrains } from '../../support/webhooks/kill-drains.ts';
import { sizeOf } from '../../support/campaign.ts';

const KILLS = sizeOf(10, 50);

it(`${String(KILLS)} kills in the middle of a batch lose no event, change no id and spoil no signature`, async () => {
  const { sentTwice } = await killDrains(KILLS);
  expect(sentTwice).toBeGreaterThan(0);
}, 900_000);
