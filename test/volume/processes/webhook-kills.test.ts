import { expect, it } from 'vitest';
import { killDrains } from '../../support/webhooks/kill-drains.ts';

it('5 kills in the middle of a batch lose no event, change no id and spoil no signature', async () => {
  const { sentTwice } = await killDrains(5);
  // What was sent and not recorded: else the kills came between the batches.
  expect(sentTwice).toBeGreaterThan(0);
});
