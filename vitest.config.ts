import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** Files that leave nothing behind in their process, so that they may share one: imports cost most. */
const TIDY = [
  'test/unit/*.test.ts',
  'test/unit/{accounts,corridors,fx,money,payments,reconciliation}/**/*.test.ts',
  'test/{db,http,payments}/**/*.test.ts',
];
/** Files that need a Temporal server and the workflow bundle. */
const WITH_TEMPORAL = ['test/workflows/**/*.test.ts', 'test/replay/**/*.test.ts'];
/** Files that need a whole local stack, as processes. */
const WITH_STACK = ['test/e2e/**/*.test.ts'];

const COMMON = {
  testTimeout: 20_000,
  hookTimeout: 60_000,
  teardownTimeout: 30_000,
  // What is waited for comes soon; a busy machine only makes it later.
  expect: { poll: { timeout: 15_000 } },
};

// A project's own set-up runs only where one of its files does, so a single file starts quickly.
const projects: TestProjectInlineConfiguration[] = [
  { test: { ...COMMON, name: 'tidy', include: TIDY, isolate: false } },
  {
    test: {
      ...COMMON,
      name: 'core',
      include: ['test/**/*.test.ts'],
      exclude: [...TIDY, ...WITH_TEMPORAL, ...WITH_STACK],
    },
  },
  {
    test: {
      ...COMMON,
      name: 'temporal',
      include: WITH_TEMPORAL,
      globalSetup: ['test/support/temporal-setup.ts'],
    },
  },
  {
    test: {
      ...COMMON,
      name: 'stack',
      include: WITH_STACK,
      globalSetup: ['test/support/stack-setup.ts'],
      // They kill parts of the stack that they share: one file at a time, beside the other projects.
      fileParallelism: false,
      testTimeout: 60_000,
      hookTimeout: 180_000,
    },
  },
];

export default defineConfig({
  test: {
    // Starts PostgreSQL once for the whole run; every test file clones a migrated template.
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    // The stack's files mostly wait, for processes to die and come back.
    maxWorkers: 3,
    projects,
  },
});
