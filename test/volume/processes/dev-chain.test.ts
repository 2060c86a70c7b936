import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readChainFile } from '../../../src/server/config/chain-file.ts';
import { readChainSigners } from '../../../src/server/config/chain-signers-config.ts';
import { readDevConfig } from '../../../src/server/config/dev-config.ts';
import { startDevChain } from '../../../src/cli/dev/dev-chain.ts';
import { superviseChild, type SupervisedChild } from '../../../src/cli/embedded/child.ts';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { programArguments } from '../../../src/cli/embedded/program-arguments.ts';

const GRACE_MS = 10_000;

describe('the sandbox chains of a local run', () => {
  let folder: string;
  let child: SupervisedChild | null = null;
  const lines: string[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-dev-chain-'));
    mkdirSync(join(folder, 'logs'));
  });
  const stop = async () => {
    await child?.stop(GRACE_MS);
    child = null;
  };
  afterEach(async () => {
    await stop();
    rmSync(folder, { recursive: true });
  });

  const run = async (env: Record<string, string> = {}) =>
    startDevChain({
      ...{ config: readDevConfig(env), folder, searchPath: '' },
      port: await freePort(),
      progress: (line) => lines.push(line),
      start(settings) {
        child = superviseChild({
          name: 'sandbox-chain',
          command: process.execPath,
          args: programArguments('src/server/processes/sandbox-chain.ts'),
          env: { PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...settings },
          logFile: join(folder, 'logs', 'sandbox-chain.log'),
          restart: null,
        });
        return child;
      },
    });

  it('networks and signers are what the engine reads, and stay so after a restart', async () => {
    const first = await run();
    const settings = first!.settings;
    const read = () =>
      readChainFile(JSON.parse(readFileSync(settings['TEST_NETWORKS_FILE']!, 'utf8')), 'test');
    const before = read();
    expect(before).toMatchObject({ ok: true });
    const { test } = readChainSigners(first!.signers);
    const hotAddresses = before.ok
      ? before.networks.flatMap((network) => network.hotAddresses)
      : [];
    expect(hotAddresses).toEqual([1, 2].map(() => test?.file.keys[0]?.address));
    expect(first!.state.networks).toEqual(['ETHEREUM', 'BASE']);
    await stop();
    await run();
    const after = read();
    const genesis = (one: typeof before) => one.ok && one.networks.map((found) => found.genesis);
    expect(genesis(after)).toEqual(genesis(before));
    await stop();
    rmSync(join(folder, 'chain'), { recursive: true });
    await expect(run()).rejects.toThrow(/ETHEREUM is another chain than the one/);
  });

  it('without anvil no chain runs, and it is said which setting would help', async () => {
    expect(await run({ ANVIL_BIN: join(folder, 'nowhere') })).toBeNull();
    expect(lines.at(-1)).toMatch(/corridor_unavailable.*ANVIL_BIN/);
    expect(child).toBeNull();
  });

  it("networks of the person's own take the place of the sandbox's", async () => {
    expect(await run({ TEST_NETWORKS_FILE: join(folder, 'own.json') })).toBeNull();
    expect(child).toBeNull();
  });
});
