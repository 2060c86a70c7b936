import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startDetached } from './detached-process.ts';
import type { FetchOptions } from './fetch-step.ts';
import { watchFetch } from './fetch-step.ts';

// The SDK's downloader has no time limit of its own; a dropped connection would hang for minutes.
const FIRST_BYTE_MAX_MS = 15_000;
const WHOLE_MAX_MS = 10 * 60_000;

/**
 * Fetches the official release through the SDK's own downloader. That offers no way to download
 * without a start, so a helper process starts a server, stops it, and leaves the program behind.
 * @returns null when `target` is there, or why it is not.
 */
export async function downloadTemporal(options: FetchOptions): Promise<string | null> {
  const { target, version, environment, progress } = options;
  const draft = `${target}.download`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  progress(`Temporal CLI: downloading version ${version}`);
  const running = startDetached({
    command: process.execPath,
    args: ['--input-type=module', '--eval', script(draft, version)],
    // Bare imports of an --eval script are resolved from the working directory.
    cwd: import.meta.dirname,
    env: environment,
    onLine: () => undefined,
  });
  // The SDK's downloader names the file so, and adds this ending while it writes.
  const file = join(draft, `temporal-v${version}`);
  const isHopeless = (elapsedMs: number): string | null => {
    const hasBegun = existsSync(file) || existsSync(`${file}.downloading`);
    if (!hasBegun && elapsedMs > FIRST_BYTE_MAX_MS) return 'temporal.download does not answer';
    return elapsedMs > WHOLE_MAX_MS ? 'it took longer than ten minutes' : null;
  };
  const label = 'Temporal CLI: downloading';
  const problem = await watchFetch({ running, label, draft, progress, isHopeless });
  const isThere = existsSync(file);
  if (isThere) renameSync(file, target);
  rmSync(draft, { recursive: true, force: true });
  return isThere ? null : (problem ?? 'the downloader left no file');
}

/** The helper's program; when it fails, the last line that it prints is the reason. */
function script(downloadDir: string, version: string): string {
  const executable = { type: 'cached-download', downloadDir, version: `v${version}`, ttl: '365d' };
  return `
    import { Runtime, DefaultLogger } from '@temporalio/worker';
    import { TestWorkflowEnvironment } from '@temporalio/testing';
    Runtime.install({ logger: new DefaultLogger('ERROR', () => {}) });
    try {
      const server = { executable: ${JSON.stringify(executable)}, log: { format: 'pretty', level: 'never' } };
      const environment = await TestWorkflowEnvironment.createLocal({ server });
      await environment.teardown();
      process.exit(0);
    } catch (error) {
      const text = String(error?.message ?? error).split('\\n')[0];
      const isUnreachable = text.includes('error sending request');
      console.log(isUnreachable ? 'temporal.download cannot be reached' : text.slice(0, 300));
      process.exit(1);
    }
  `;
}
