import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const OPS = join(import.meta.dirname, '../../src/main/ops.ts');

/** On a server: its database is named, though nobody listens there. */
const onServer = (...command: string[]) =>
  run(process.execPath, ['--import', 'tsx', OPS, ...command], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
      PEPPER: Buffer.alloc(32, 2).toString('base64'),
    },
  });

describe('who decides on a server', () => {
  it.each([
    [['payments', 'replay', 'pay_x', '--reason', 'bank is back']],
    [['keys', 'add', '--customer', 'cus_x', '--environment', 'test', '--name', 'demo']],
  ])('%j needs --operator: the audit log wants a person', async (command) => {
    await expect(onServer(...command)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('--operator is missing.') as string,
    });
  });
});
