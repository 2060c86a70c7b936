import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { stackEnvironment } from './stack-environment.ts';
import { programArguments } from '../../src/cli/embedded/program-arguments.ts';

const OPS = join(import.meta.dirname, '../../src/cli/ops.ts');

/** A command of the operators, as they give it at a local stack; what it wrote. */
export async function runOps(stackFolder: string, ...args: string[]): Promise<string> {
  const { PATH, HOME, DATA_DIR } = stackEnvironment(stackFolder);
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...programArguments(OPS), ...args],
    { env: { PATH, HOME, DATA_DIR } },
  );
  return stdout;
}

export interface AddedCustomer {
  readonly customerId: string;
  readonly testApiKey: string;
}

/** Another customer of a local stack with a test key of its own, taken on as an operator does it. */
export async function addCustomer(stackFolder: string, name: string): Promise<AddedCustomer> {
  const added = await runOps(stackFolder, 'customers', 'add', '--name', name);
  const customerId = /cus_\w+/.exec(added)?.[0];
  if (customerId === undefined) throw new Error(`no customer was added: ${added}`);
  const args = ['--customer', customerId, '--environment', 'test', '--name', 'theirs'];
  const issued = await runOps(stackFolder, 'keys', 'add', ...args);
  const testApiKey = /cw_test_\w+/.exec(issued)?.[0];
  if (testApiKey === undefined) throw new Error('no key was issued');
  return { customerId, testApiKey };
}
