import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startDevStack } from '../../src/cli/dev/dev-stack.ts';
import { STACK_SETTINGS, stackEnvironment, START_FAILURE } from './stack-environment.ts';
import { stopWithProject } from './project-ends.ts';
import { openRunFolder } from './run-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data folder of the local stack that the project's files share. */
    readonly stackFolder: string;
  }
}

/**
 * Starts a local stack for the files of one project. Nothing waits for it here, so that other tests
 * run meanwhile; its own wait for `untilReady`.
 */
export default function setUp(project: TestProject): () => Promise<void> {
  openRunFolder();
  const folder = mkdtempSync(join(tmpdir(), `causeway-test-${project.name}-`));
  const starting = startDevStack({
    env: { ...stackEnvironment(folder), ...STACK_SETTINGS[project.name] },
    progress: () => undefined,
    onLine: (line) => {
      appendFileSync(join(folder, 'stack.log'), `${line}\n`);
    },
  }).catch((error: unknown) => {
    writeFileSync(join(folder, START_FAILURE), `the stack did not start: ${String(error)}`);
    return null;
  });
  project.provide('stackFolder', folder);
  return stopWithProject(project, async () => {
    await (await starting)?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
}
