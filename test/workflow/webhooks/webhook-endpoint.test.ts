import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WebhookActivities } from '../../../activities/types.ts';
import type { DrainResult } from '../../../src/modules/webhooks/drain-endpoint.ts';
import type { EndpointRef } from '../../../src/domain/workflows/work-refs.ts';
import { openTestTemporal, type TestTemporal } from '../../support/temporal.ts';
import {
  deliverBursts,
  wakeEndpoint,
  withWorkers,
} from '../../support/workflow/webhook-workers.ts';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await openTestTemporal();
});
afterAll(() => temporal.close());

const refTo = (endpointId: string): EndpointRef => ({
  customerId: 'cus_1',
  environment: 'test',
  endpointId,
});

/** Answers the given outcomes one after the other, GONE at last, and tells who was asked. */
function scripted(script: ((endpoint: EndpointRef) => Promise<DrainResult> | DrainResult)[]) {
  const signerAccounts: string[] = [];
  const activitiesOf = (signerAccount: string): WebhookActivities => ({
    async drainEndpoint(endpoint) {
      signerAccounts.push(signerAccount);
      return (await script[signerAccounts.length - 1]?.(endpoint)) ?? { kind: 'GONE' };
    },
  });
  return { signerAccounts, activitiesOf };
}

describe("an endpoint's workflow", () => {
  it('drains first, again at the due time, in the signer account that the last drain named, and ends', async () => {
    const { signerAccounts, activitiesOf } = scripted([
      () => ({ kind: 'DUE', waitMs: 50, isSlow: true }),
      () => ({ kind: 'DUE', waitMs: 0, isSlow: true }),
      () => ({ kind: 'DUE', waitMs: 0, isSlow: false }),
    ]);
    await withWorkers(temporal, activitiesOf, async () => {
      await (await wakeEndpoint(temporal, refTo('whe_lanes'))).result();
    });
    expect(signerAccounts).toEqual(['quick', 'slow', 'slow', 'quick']);
  });

  it('drains once more for a wake that comes while it drains, waits or has found the endpoint gone', async () => {
    const { signerAccounts, activitiesOf } = scripted([
      async (endpoint) => {
        await wakeEndpoint(temporal, endpoint);
        return { kind: 'IDLE', isSlow: false };
      },
      () => ({ kind: 'IDLE', isSlow: false }),
      () => ({ kind: 'DUE', waitMs: 3_600_000, isSlow: false }),
      async (endpoint) => {
        await wakeEndpoint(temporal, endpoint);
        return { kind: 'GONE' };
      },
    ]);
    const endpoint = refTo('whe_wakes');
    await withWorkers(temporal, activitiesOf, async () => {
      const handle = await wakeEndpoint(temporal, endpoint);
      await expect.poll(() => signerAccounts.length).toBe(2);
      await wakeEndpoint(temporal, endpoint);
      await expect.poll(() => signerAccounts.length).toBe(3);
      await wakeEndpoint(temporal, endpoint);
      await handle.result();
    });
    expect(signerAccounts).toHaveLength(5);
  });

  it('1,000 events cost at most 150 history events', async () => {
    const { delivered, historyEvents } = await deliverBursts(temporal, 20);
    expect(delivered).toBe(1_000);
    expect(historyEvents).toBeLessThanOrEqual(150);
  });
});
