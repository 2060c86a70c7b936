import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { findTargets } from '../../../../../src/server/config/ops-config.ts';
import { runMain } from '../../../../../src/server/runtime/run-main.ts';
import { SAMPLE_KEYS } from '../../../../support/sample-secrets.ts';
import { programArguments } from '../../../../../src/cli/embedded/program-arguments.ts';

const run = promisify(execFile);
const OPS = join(import.meta.dirname, '../../../../../src/cli/ops.ts');

/** On a server: its database is named, though no server listens there. */
const onServer = (...command: string[]) =>
  run(process.execPath, [...programArguments(OPS), ...command], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: 'postgres://sample@127.0.0.1:9/none',
      TEMPORAL_ADDRESS: '127.0.0.1:9',
      ...SAMPLE_KEYS,
    },
  });

describe('who decides on a server', () => {
  it('must be named by --operator: the audit log wants a person', async () => {
    const retry = ['payments', 'retry', 'pay_x', '--reason', 'bank is back'];
    await expect(onServer(...retry)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("option '--operator <name>' not specified") as string,
    });
  });
});

describe('a program that cannot do its work', () => {
  it('says why in a sentence and ends with exit code 1', async () => {
    const ended = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      runMain(async () => {
        findTargets({ DATA_DIR: '/nonexistent' });
        return 0;
      });
      await vi.waitFor(() => expect(ended).toHaveBeenCalledWith(1));
      expect(said.mock.calls).toEqual([[expect.stringContaining('DATABASE_URL is not set')]]);
    } finally {
      ended.mockRestore();
      said.mockRestore();
    }
  });
});
