import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureSchedules, findReconcilerState } from '../../../src/server/temporal/schedules.ts';
import { openTestTemporal, type TestTemporal } from '../../support/temporal.ts';

const SETTINGS = {
  reconcileEveryMs: 3_600_000,
  unfinishedEveryMs: 3_600_000,
  fxRefreshEveryMs: 3_600_000,
  kycExpiryEveryMs: 3_600_000,
  rescreenEveryMs: 3_600_000,
  finalityEveryMs: { test: 3_600_000, live: 3_600_000 },
  statementFetchEveryMs: { test: 3_600_000, live: 3_600_000 },
};

const IDS = [
  ...['sweep', 'sweep-unfinished', 'fx-refresh', 'kyc-expiry', 'key-expiry'],
  ...['statement-fetch/test', 'statement-fetch/live'],
  ...['rescreen/test', 'rescreen/live'],
  ...['finality/test', 'finality/live'],
];

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await openTestTemporal();
});
afterAll(() => temporal.close());

const schedule = (id: string) => temporal.client.schedule.getHandle(id);

describe('schedules', () => {
  it('are missing to readiness until a worker has made them', async () => {
    expect(await findReconcilerState(temporal.client)).toBe('missing');
    await ensureSchedules(temporal.client, SETTINGS);
    expect(await findReconcilerState(temporal.client)).toBe('ok');
  });

  it('end a run that hangs, made now or by an older worker', async () => {
    for (const made of ['now', 'before']) {
      if (made === 'before') {
        await schedule('sweep').update((previous) => ({
          ...previous,
          action: { ...previous.action, workflowExecutionTimeout: undefined },
        }));
      }
      await ensureSchedules(temporal.client, SETTINGS);
      for (const id of IDS) {
        const { action } = await schedule(id).describe();
        expect(action.workflowExecutionTimeout, id).toBeGreaterThanOrEqual(300_000);
      }
    }
  });

  it.each(['sweep', 'sweep-unfinished'])(
    'tell readiness that %s is paused, and stay so',
    async (id) => {
      await schedule(id).pause();
      await ensureSchedules(temporal.client, SETTINGS);
      expect(await findReconcilerState(temporal.client)).toBe('paused');
      await schedule(id).unpause();
      expect(await findReconcilerState(temporal.client)).toBe('ok');
    },
  );
});
