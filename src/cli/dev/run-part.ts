import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { programArguments } from '../embedded/program-arguments.ts';

const run = promisify(execFile);

/**
 * Runs one of the programs beside this file to its end.
 * @returns what it printed.
 * @throws PlainError with what it wrote to its error output, where it fails.
 */
export async function runPart(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const file = join(import.meta.dirname, 'programs', `${name}.ts`);
  try {
    const { stdout } = await run(process.execPath, [...programArguments(file), ...args], { env });
    return stdout;
  } catch (error) {
    const { stderr = '', signal } = error as { stderr?: string; signal?: string | null };
    throw new PlainError(stderr.trim() || `${name} ended: ${signal ?? String(error)}`);
  }
}
