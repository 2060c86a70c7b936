import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findInstallation } from '../../../../src/server/config/listen-config.ts';
import { runListenCommand } from '../../../../src/cli/listen/command-line.ts';
import type { ListenOptions } from '../../../../src/cli/listen/listen.ts';

const TEST_KEY = 'cw_test_planted_planted';
const LIVE_KEY = 'cw_live_planted_planted';
const REMOTE = { CAUSEWAY_API_URL: 'https://causeway.example.com', CAUSEWAY_API_KEY: TEST_KEY };
const NOWHERE = { CAUSEWAY_API_URL: 'http://127.0.0.1:9', CAUSEWAY_API_KEY: TEST_KEY };

const folder = mkdtempSync(join(tmpdir(), 'causeway-test-listen-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command line; what it would listen with is handed back. */
async function run(args: readonly string[], env: Record<string, string> = {}) {
  let [out, error] = ['', ''];
  let options: ListenOptions | undefined;
  const code = await runListenCommand(args, {
    findInstallation: (named) => findInstallation({ DATA_DIR: folder, ...env }, named),
    listen: (given) => {
      options = given;
      return Promise.resolve(0);
    },
    output: { out: (text) => (out += text), error: (text) => (error += text) },
  });
  return { code, out, error, options };
}

describe('the command line of npm run listen', () => {
  it.each([
    [['--port', '65536'], {}, /--port/],
    [['--port', '80a'], {}, /--port/],
    [['--forward', 'localhost:3000'], {}, /--forward/],
    [['--forward', 'http://user:word@localhost'], {}, /plain URL/],
    [['--types', 'payment.*;rm'], {}, /--types/],
    [['--replay', '1y'], {}, /--replay/],
    [['--replay', '91d'], {}, /90 days/],
    [['--replay', '0m'], {}, /--replay/],
    [['--what'], {}, /unknown option '--what'/],
    [['extra'], {}, /too many arguments/],
    [[], { ...NOWHERE, CAUSEWAY_API_KEY: LIVE_KEY }, /this is a live key/],
    [['--api-url', 'http://127.0.0.1:9', '--api-key', LIVE_KEY], {}, /this is a live key/],
    [[], { ...NOWHERE, CAUSEWAY_API_KEY: 'planted\nkey' }, /must be a test key/],
    [[], REMOTE, /causeway\.example\.com is another machine.*--public-url/],
  ])(
    '%j with %j is a wrong command line: one line says so, without a key',
    async (args, env, what) => {
      const { code, out, error, options } = await run(args, env);
      expect(code).toBe(2);
      expect(out).toBe('');
      expect(options).toBeUndefined();
      expect(error.trim()).toMatch(what);
      expect(error.trim().split('\n')).toHaveLength(1);
      expect(error).not.toContain('planted');
    },
  );

  it.each([
    [['--replay'], 3_600_000],
    [['--replay', '30m'], 1_800_000],
    [['--replay', '90d'], 7_776_000_000],
    [[], null],
  ])('%j replays %j ms', async (args, replayMs) => {
    const { code, options } = await run(args, NOWHERE);
    expect(code).toBe(0);
    expect(options?.replayMs).toBe(replayMs);
  });

  it('listens to another machine through a tunnel', async () => {
    const args = [
      '--public-url',
      'https://tunnel.example.com/',
      '--types',
      'payment.*, kyc.approved',
    ];
    expect((await run(args, REMOTE)).options).toMatchObject({
      installation: { apiUrl: REMOTE.CAUSEWAY_API_URL, apiKey: TEST_KEY },
      ...{ publicUrl: 'https://tunnel.example.com', types: ['payment.*', 'kyc.approved'] },
    });
  });

  it('takes the local run, and says so where there is none', async () => {
    await expect(run([])).rejects.toThrow('no local run was found');
    const file = join(folder, 'state.json');
    writeFileSync(file, JSON.stringify({ apiUrl: 'http://127.0.0.1:9', testApiKey: TEST_KEY }));
    try {
      const { options } = await run([]);
      expect(options?.installation).toEqual({ apiUrl: 'http://127.0.0.1:9', apiKey: TEST_KEY });
      // The local run's key is never sent to an installation that is named.
      const named = run(['--api-url', 'https://causeway.example.com']);
      await expect(named).rejects.toThrow('CAUSEWAY_API_KEY is not set');
    } finally {
      rmSync(file);
    }
  });

  it('explains itself', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const option of ['--forward', '--types', '--replay', '--json', 'CAUSEWAY_API_KEY']) {
      expect(out).toContain(option);
    }
  });
});
