import { it } from 'vitest';
import { HOUR_MS, returnsAfter } from '../webhooks/outage-harness.ts';

it('a receiver that was away for 48 hours has everything within a minute of its return', async () => {
  await returnsAfter(48 * HOUR_MS);
}, 600_000);
