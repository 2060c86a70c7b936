import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { says } from '../../support/payments/scripted-bank.ts';
import {
  startScriptedHarness,
  TIMING,
  type ScriptedHarness,
} from '../../support/payments/settlement-harness.ts';

let harness: ScriptedHarness;
beforeAll(async () => {
  harness = await startScriptedHarness();
  harness.bank.onPut = says('SETTLED');
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

describe('a worker without a connector for the rail', () => {
  it.each([true, false])(
    'claims nothing: what it leaves is sent at once (first: %s)',
    async (isFirst) => {
      const bare = createPaymentActivities({
        ...harness.deps,
        connectors: createConnectorRegistry([]),
        timing: { test: TIMING, live: TIMING },
        screener: harness.screener,
        onScreeningFailure: () => undefined,
      });
      const paymentId = await harness.accept();
      const ref = { ...harness.scope, paymentId };
      await expect(bare.settle({ ...ref, isFirst })).rejects.toMatchObject({
        code: 'BANK_UNREACHABLE',
      });
      expect((await harness.tell(paymentId)).attempts).toMatchObject([
        { phase: 'READY', sends: 0 },
      ]);
      expect(await harness.settle(paymentId)).toEqual({ kind: 'DONE', status: 'COMPLETED' });
      expect(harness.bank.puts().length).toBeGreaterThan(0);
    },
  );
});
