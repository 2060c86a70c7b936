import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startDevStack } from '../../src/local/dev/dev-stack.ts';
import { stackEnvironment } from './stack-environment.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data folder of the local stack that all end-to-end tests share. */
    readonly stackFolder: string;
  }
}

/** Starts one local stack, with its parts as processes of their own, for all end-to-end tests. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-test-stack-'));
  const stack = await startDevStack({
    env: stackEnvironment(folder),
    progress: () => undefined,
    onLine: (line) => {
      appendFileSync(join(folder, 'stack.log'), `${line}\n`);
    },
  });
  project.provide('stackFolder', folder);
  return async () => {
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
