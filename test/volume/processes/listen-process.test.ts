import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programArguments } from '../../../src/cli/embedded/program-arguments.ts';

const LISTEN = join(import.meta.dirname, '../../../src/cli/listen.ts');
const NOWHERE = {
  CAUSEWAY_API_URL: 'http://127.0.0.1:9',
  CAUSEWAY_API_KEY: 'cw_test_planted_planted',
};

/** Runs it to its end. */
const run = (args: readonly string[]) =>
  new Promise<{ code: number; error: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], ...NOWHERE };
    execFile(
      process.execPath,
      [...programArguments(LISTEN), ...args],
      { env },
      (failure, _out, error) => {
        resolve({ code: failure === null ? 0 : Number(failure.code), error: error.trim() });
      },
    );
  });

describe('npm run listen', () => {
  it('says what is wrong with its command line, and ends with 2', async () => {
    expect(await run(['--what'])).toEqual({ code: 2, error: "error: unknown option '--what'" });
  });

  it('says that nothing answers where the API is down', async () => {
    const { code, error } = await run(['--port', '0']);
    expect(code).toBe(1);
    expect(error).toBe(
      'http://127.0.0.1:9 does not answer (ECONNREFUSED). Check that Causeway runs there.',
    );
  });

  it('says that its port is taken', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const { code, error } = await run(['--port', String(port)]);
      expect(code).toBe(1);
      expect(error).toBe(
        `Port ${String(port)} is in use. Give --port another port (0 picks a free port).`,
      );
    } finally {
      server.close();
    }
  });
});
