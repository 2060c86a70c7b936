import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { breakSource } from './test/volume/broken/break-source.ts';
import CostReporter from './test/support/cost-reporter.ts';
import { LongestFirst } from './test/support/longest-first.ts';
import ProjectEnds from './test/support/project-ends.ts';

/** Files that start, end or change processes. The others leave nothing behind, and so share theirs. */
const PROCESSES = 'test/integration/processes/**/*.test.ts';
/** Builds that are broken on purpose, each run of which is a process. */
const BROKEN = 'test/volume/broken/**/*.test.ts';
/** The local commands as processes, and code in other languages. */
const VOLUME_PROCESSES = 'test/volume/processes/**/*.test.ts';
/** Those that nothing may run beside: they kill parts of their stack, or weigh them. */
const VOLUME_ALONE = 'test/volume/alone/**/*.test.ts';
/** What `npm test` runs too; there a test skips where its program is missing. */
const WITH_PROGRAMS = 'test/integration/programs/**/*.test.ts';

const COMMON = {
  setupFiles: ['test/support/measure-cost.ts'],
  // Much more than a test takes, or the start of a stack that it waits for: what hangs ends by it, and a busy machine
  // does not.
  testTimeout: 180_000,
  hookTimeout: 180_000,
  teardownTimeout: 30_000,
  // What is waited for comes soon; a busy machine only makes it later.
  expect: { poll: { timeout: 60_000 } },
};

const ON_A_STACK = {
  ...COMMON,
  globalSetup: ['test/support/stack-setup.ts'],
};

// A project's own set-up runs only where one of its files does, so a single file starts quickly.
// vitest gives a turn of its own, after all others, to a project whose files may not run side by
// side, or that has a number of workers of its own: only what is to be alone is such a project.
const projects: TestProjectInlineConfiguration[] = [
  {
    plugins: [breakSource()],
    test: {
      ...COMMON,
      name: 'tidy',
      include: ['test/{unit,integration,fuzz,bench}/**/*.test.ts'],
      exclude: [PROCESSES],
      // Imports would cost more than the tests.
      isolate: false,
    },
  },
  { test: { ...COMMON, name: 'processes', include: [PROCESSES] } },
  {
    test: {
      ...COMMON,
      name: 'workflow',
      include: ['test/workflow/**/*.test.ts'],
      // Importing Temporal's SDK takes two seconds; its files leave nothing else behind.
      isolate: false,
      globalSetup: ['test/support/temporal-setup.ts'],
    },
  },
  { test: { ...ON_A_STACK, name: 'e2e', include: ['test/e2e/**/*.test.ts'], isolate: false } },
  // Two broken builds run at once: each mostly starts up.
  { test: { ...COMMON, name: 'volume-broken', include: [BROKEN], maxConcurrency: 2 } },
  {
    test: { ...COMMON, name: 'volume-processes', include: [VOLUME_PROCESSES, WITH_PROGRAMS] },
  },
  {
    test: { ...ON_A_STACK, name: 'volume-alone', include: [VOLUME_ALONE], fileParallelism: false },
  },
  {
    test: {
      ...ON_A_STACK,
      name: 'volume',
      include: ['test/volume/**/*.test.ts'],
      exclude: [BROKEN, VOLUME_PROCESSES, VOLUME_ALONE],
      globalSetup: ['test/support/stack-setup.ts', 'test/support/temporal-setup.ts'],
    },
  },
];

export default defineConfig({
  test: {
    reporters: ['default', new CostReporter(), new ProjectEnds()],
    // Starts PostgreSQL once for the whole run; every test file clones a migrated template.
    globalSetup: ['test/support/temporal-preflight.ts', 'test/support/global-setup.ts'],
    pool: 'forks',
    // One more than there are processors at the least: some files mostly wait.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects,
  },
});
