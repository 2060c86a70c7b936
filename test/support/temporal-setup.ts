import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findTemporalCli } from '../../src/cli/embedded/temporal-cli.ts';
import { startTemporalServer } from '../../src/cli/embedded/temporal-server.ts';
import { bundleWorkflows } from '../../src/server/temporal/workflow-bundle.ts';
import { stopWithProject } from './project-ends.ts';
import { openRunFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** host:port of the Temporal server that all tests share; each file has its own namespace. */
    readonly temporalAddress: string;
    /** The bundle of today's workflow code. */
    readonly workflowBundleFile: string;
  }
}

/**
 * After so many events a workflow is told to continue as new. A server suggests it at 4,096, which
 * take a test half a minute; what a workflow does about it is the same.
 */
const HISTORY_EVENTS_MAX = 500;

/** Starts one Temporal server in memory and bundles the workflows once for the whole run. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const silent = (): void => undefined;
  openRunFolder();
  const folder = mkdtempSync(join(tmpdir(), 'causeway-test-temporal-'));
  const bundleFile = join(folder, 'workflows.js');
  const cliPath = await findTemporalCli({ environment: process.env, progress: silent });
  const [temporal, bundle] = await Promise.all([
    startTemporalServer({
      cliPath,
      dbFile: null,
      port: 0,
      uiPort: null,
      dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': HISTORY_EVENTS_MAX },
      log: silent,
    }),
    bundleWorkflows(),
  ]);
  writeFileSync(bundleFile, bundle.code);
  project.provide('temporalAddress', temporal.address);
  project.provide('workflowBundleFile', bundleFile);
  return stopWithProject(project, async () => {
    await temporal.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}
