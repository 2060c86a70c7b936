import { beforeAll, describe, expect, it } from 'vitest';
import { fuzzInstallation } from '../../fuzz/fuzz-installation.ts';
import { renderFuzz } from '../../fuzz/fuzz-report.ts';
import { addCustomer } from '../../support/add-customer.ts';
import { openStack } from '../../support/e2e/stack.ts';
import { seedOf, sizeOf } from '../../support/campaign.ts';

const SEED = seedOf(20_262);
const REQUESTS = sizeOf(1_500, 20_000);

const stack = openStack();
beforeAll(() => stack.untilReady());

describe(`an API that is fuzzed with ${String(REQUESTS)} requests by its own document`, () => {
  it(
    'keeps to it, reaches every operation, and what it refuses leaves no trace',
    { timeout: 1_800_000 },
    async () => {
      const { apiUrl, databaseUrl: url } = stack.state();
      const { customerId, testApiKey: apiKey } = await addCustomer(stack.folder, 'Fuzzed Partner');
      const { testApiKey: otherApiKey } = await addCustomer(stack.folder, 'Another Partner');
      const outcome = await fuzzInstallation(
        { apiUrl, apiKey, otherApiKey, database: { url, customerId } },
        { seed: SEED, requests: REQUESTS },
        () => undefined,
      );
      const report = renderFuzz(outcome, apiUrl, SEED);
      expect(outcome.findings, report).toEqual([]);
      expect(outcome.neverReached, report).toEqual([]);
      expect(outcome.refusedChecked, report).toBeGreaterThan(50);
    },
  );
});
