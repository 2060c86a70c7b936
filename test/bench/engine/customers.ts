import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Engine } from './engine.ts';

const run = promisify(execFile);
const COMMAND_MS_MAX = 60_000;

/**
 * The test keys of so many customers: the local run's own, and others that an operator takes on with
 * `npm run ops`. Each has its own balance.
 */
export async function apiKeysOf(engine: Engine, customers: number): Promise<string[]> {
  const keys = [engine.state.testApiKey];
  for (let nth = 2; nth <= customers; nth += 1) {
    const customer = ['customers', 'add', '--name', `Bench ${String(nth)}`];
    const id = find(/\bcus_[0-9a-z]+/, await ops(engine, customer));
    const scope = ['--customer', id, '--environment', 'test'];
    const key = ['keys', 'add', ...scope, '--name', 'bench', '--operator', 'bench'];
    keys.push(find(/\bcw_test_\S+/, await ops(engine, key)));
  }
  return keys;
}

async function ops({ folder, env, dataDir }: Engine, args: readonly string[]): Promise<string> {
  const { PATH = '', HOME = '' } = env;
  const { stdout } = await run('npm', ['run', '--silent', 'ops', '--', ...args], {
    cwd: folder,
    env: { PATH, HOME, DATA_DIR: dataDir },
    timeout: COMMAND_MS_MAX,
  });
  return stdout;
}

function find(pattern: RegExp, text: string): string {
  const found = pattern.exec(text)?.[0];
  if (found === undefined) throw new Error(`npm run ops answered something else: ${text}`);
  return found;
}
