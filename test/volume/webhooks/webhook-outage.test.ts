import { it } from 'vitest';
import { HOUR_MS, returnsAfter } from '../../support/webhooks/outage-harness.ts';
import { createWebhookHarness } from '../../support/webhooks/webhook-harness.ts';

it('a receiver that was away for 48 hours has everything within a minute of its return', async () => {
  const harness = await createWebhookHarness();
  await returnsAfter(harness, 48 * HOUR_MS).finally(() => harness.close());
}, 600_000);
