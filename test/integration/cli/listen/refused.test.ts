import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen, type ListenOptions } from '../../../../src/cli/listen/listen.ts';
import { JSON_LINES } from '../../../../src/cli/listen/render-webhook.ts';
import { createTestApp, testSettings, type TestApp } from '../../../support/test-app.ts';

let harness: TestApp;
let folder: string;
afterEach(async () => {
  await harness.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-test-listen-'));
});

/** An installation whose settings and clock are told. */
async function startInstallation(webhookAllowLoopbackInTest: boolean) {
  const settings = testSettings({ webhookAllowLoopbackInTest });
  harness = await createTestApp({ settings, clock: { now: () => new Date() } });
  await harness.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = harness.app.server.address() as AddressInfo;
  return { apiUrl: `http://127.0.0.1:${String(port)}`, apiKey: harness.token };
}

async function run(options: Partial<ListenOptions> & Pick<ListenOptions, 'installation'>) {
  const said: string[] = [];
  const printed: string[] = [];
  const exitCode = await listen(
    { port: 0, replayMs: null, json: true, ...options },
    {
      clock: { now: () => new Date() },
      rendering: JSON_LINES,
      print: (text) => printed.push(text),
      say: (text) => said.push(text),
      asked: Promise.resolve(),
    },
  );
  return { exitCode, said, printed };
}

const endpoints = async () => {
  const answer = await harness.app.inject({
    ...{ method: 'GET', url: '/api/v1/webhook-endpoints', headers: harness.headers },
  });
  return answer.json<{ data: unknown[] }>().data;
};

describe('npm run listen', () => {
  it('that is refused its URL says which setting allows it', async () => {
    const installation = await startInstallation(false);
    await expect(run({ installation })).rejects.toMatchObject({
      name: 'PlainError',
      message: expect.stringMatching(
        /^POST \/webhook-endpoints was answered 400, validation_failed: .*\/url .*TEST_WEBHOOK_ALLOW_LOOPBACK=true.*--public-url/,
      ) as string,
    });
    expect(await endpoints()).toEqual([]);
  });

  it('proves with a ping that webhooks arrive, and shows it as none', async () => {
    const installation = await startInstallation(true);
    const { exitCode, said, printed } = await run({ installation });
    expect(exitCode).toBe(0);
    expect(said[0]).toMatch(
      /^Listening as whe_\w+ at http:\/\/127\.0\.0\.1:\d+\/[\w-]{12}, for everything$/,
    );
    expect(said.at(-1)).toMatch(/^Deleted whe_\w+$/);
    expect(printed).toEqual([]);
    expect(await endpoints()).toEqual([]);
  });

  it('whose tunnel leads elsewhere says so, and deletes its endpoint', async () => {
    const installation = await startInstallation(true);
    const elsewhere = run({ installation, publicUrl: 'http://127.0.0.1:9/tunnel' });
    await expect(elsewhere).rejects.toThrow(
      /^A ping to http:\/\/127\.0\.0\.1:9\/tunnel\/[\w-]{12} did not arrive \(CONNECT\)\./,
    );
    expect(await endpoints()).toEqual([]);
  });

  it('does not write the secret over a file that contains something else', async () => {
    const installation = await startInstallation(true);
    const secretFile = join(folder, 'key');
    writeFileSync(secretFile, 'precious');
    await expect(run({ installation, secretFile })).rejects.toThrow('contains something else');
    expect(readFileSync(secretFile, 'utf8')).toBe('precious');
    expect(await endpoints()).toEqual([]);
  });

  it('that cannot delete its endpoint says so and ends with 1', async () => {
    const installation = await startInstallation(true);
    const said: string[] = [];
    const exitCode = await listen(
      { installation, port: 0, replayMs: null, json: true },
      {
        ...{ clock: { now: () => new Date() }, rendering: JSON_LINES },
        ...{ print: () => undefined, say: (text) => void said.push(text) },
        // The installation stops before the listener does.
        asked: new Promise((resolve) => {
          const timer = setInterval(() => {
            if (!said.some((line) => line.startsWith('Press Ctrl-C'))) return;
            clearInterval(timer);
            harness.app.server.closeAllConnections();
            harness.app.server.close(resolve);
          }, 10);
        }),
      },
    );
    expect(exitCode).toBe(1);
    expect(said.at(-1)).toMatch(/^whe_\w+ could not be deleted: .*does not answer/);
  });
});
