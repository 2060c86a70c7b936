import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stackEnvironment } from '../support/stack-environment.ts';
import { openStack } from '../support/e2e/stack.ts';
import { programArguments } from '../../src/cli/embedded/program-arguments.ts';

const SMOKE = join(import.meta.dirname, '../../src/cli/smoke.ts');

const stack = openStack();
beforeAll(() => stack.untilReady());

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** As a shell starts it. */
function smoke(...args: string[]): Promise<Ended> {
  const { PATH, HOME } = stackEnvironment(stack.folder);
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...programArguments(SMOKE), ...args],
      { env: { PATH, HOME } },
      (failure, out, error) => {
        resolve({ code: typeof failure?.code === 'number' ? failure.code : 0, out, error });
      },
    );
  });
}

/** The rows of the table that is printed: name and result. */
const resultsOf = (out: string): string[][] =>
  out
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/));

describe('npm run smoke', () => {
  it(
    "plays a partner's first day, and leaves its endpoint disabled",
    { timeout: 300_000 },
    async () => {
      const { apiUrl, testApiKey } = stack.state();
      const { code, out, error } = await smoke('--api-url', apiUrl, '--api-key', testApiKey);
      expect([code, out, error.includes('FAILED')]).toEqual([0, out, false]);
      const rows = resultsOf(out);
      expect(rows.length).toBeGreaterThanOrEqual(22);
      const hasNetworks = stack.state().chain !== null;
      const notOk = rows.filter((row) => !row.includes('ok')).map(([name]) => name);
      expect(notOk, out).toEqual(hasNetworks ? [] : ['payment to a wallet', 'deposit']);
      const id = /(whe_\w+) is DISABLED/.exec(out)?.[1] ?? '';
      const { body } = await stack.call('GET', `/webhook-endpoints/${id}`);
      expect(body['status']).toBe('DISABLED');
    },
  );

  it('says FAILED and ends with 1 where a step does not hold, and never says what it did not look at', async () => {
    const { apiUrl, testApiKey } = stack.state();
    const wrong = `${testApiKey.slice(0, -1)}${testApiKey.endsWith('0') ? '1' : '0'}`;
    const { code, out } = await smoke('--api-url', apiUrl, '--api-key', wrong);
    expect(code).toBe(1);
    expect(out).toMatch(/^key .*invalid_api_key.*FAILED/m);
    expect(out).toMatch(/^payment .*SKIPPED/m);
    expect(out).not.toContain(wrong);
  });

  it('takes no live key, and says so before anything is sent', async () => {
    const key = 'cw_live_0123456789ab_made-up';
    const { code, out, error } = await smoke('--api-url', 'http://127.0.0.1:9', '--api-key', key);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('Use a test key');
    expect(error).not.toContain(key);
  });
});
