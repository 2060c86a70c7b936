import { defineConfig } from 'vitest/config';

/**
 * Records the corpus of histories anew: `npx vitest run --config test/workflow/replay/record.config.ts`. Only
 * for a kind of workflow that is not in it yet: an old history that no longer replays is a bug of the
 * new code, which recording again would hide.
 */
export default defineConfig({
  test: {
    include: [
      'test/workflow/replay/record-histories.ts',
      'test/workflow/replay/record-chain-histories.ts',
    ],
    globalSetup: ['test/support/global-setup.ts', 'test/support/temporal-setup.ts'],
    hookTimeout: 60_000,
    testTimeout: 120_000,
  },
});
