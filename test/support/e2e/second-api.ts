import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { until } from '../until.ts';
import { programArguments } from '../../../src/cli/embedded/program-arguments.ts';

const API = join(import.meta.dirname, '../../../src/server/processes/api.ts');

/** Another process of a stack's API, with settings of its own, over the same database. */
interface SecondApi {
  readonly url: string;
  /** Everything that it has written so far. */
  log(): string;
  close(): Promise<void>;
}

/** Starts one with the settings of the process that is there, changed as told, and answers once it is ready. */
export async function startSecondApi(
  pid: number,
  changes: Readonly<Record<string, string>>,
): Promise<SecondApi> {
  const entries = readFileSync(`/proc/${String(pid)}/environ`, 'utf8')
    .split('\0')
    .map((text) => text.split(/=(.*)/s).slice(0, 2) as [string, string])
    .filter(([name]) => name !== '' && !name.startsWith('NODE_CHANNEL'));
  const port = String(await freePort());
  const child = spawn(process.execPath, programArguments(API), {
    env: { ...Object.fromEntries(entries), PORT: port, MONITOR_PORT: '', ...changes },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (written += chunk.toString()));
  }
  const closed = once(child, 'close');
  const url = `http://127.0.0.1:${port}/api/v1`;
  await until(
    () => `the second API: ${written.slice(-2000)}`,
    async () => {
      if (child.exitCode !== null) throw new Error(`it has ended: ${written.slice(-2000)}`);
      return (await fetch(`${url}/ready`).catch(() => null))?.ok === true ? true : null;
    },
  );
  return {
    url,
    log: () => written,
    async close() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}
