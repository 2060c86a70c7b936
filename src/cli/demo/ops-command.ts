import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Env } from '../../server/config/settings.ts';
import { programArguments } from '../embedded/program-arguments.ts';

const run = promisify(execFile);
const OPS = join(import.meta.dirname, '../ops.ts');

/** Runs the operators' command as an operator does: as a program of its own. */
export async function retryByOps(env: Env, dataDir: string, paymentId: string): Promise<void> {
  const command = ['payments', 'retry', paymentId, '--reason', 'bank is back'];
  await run(process.execPath, [...programArguments(OPS), ...command, '--operator', 'demo'], {
    env: { ...env, DATA_DIR: dataDir },
    timeout: 30_000,
  });
}
