import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlainError } from '../../../src/runtime/plain-error.ts';
import { TEMPORAL_CLI_VERSION, findTemporalCli } from '../../../src/local/embedded/temporal-cli.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cw-cli-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function program(path: string, content = '#!/bin/sh\nexit 0\n'): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, 0o755);
  return file;
}

const find = (environment: Record<string, string>): Promise<string> =>
  findTemporalCli({ environment, progress: () => undefined });

describe('finding the Temporal CLI', () => {
  const cached = `causeway/temporal-${TEMPORAL_CLI_VERSION}/temporal`;

  it('TEMPORAL_CLI_PATH comes first, then PATH, then the cache', async () => {
    const given = program('given');
    const onPath = program('bin/temporal');
    const inCache = program(`xdg/${cached}`);
    const inHome = program(`home/.cache/${cached}`);
    const places = { PATH: `/nowhere:${dirname(onPath)}`, XDG_CACHE_HOME: join(folder, 'xdg') };
    expect(await find({ ...places, TEMPORAL_CLI_PATH: given })).toBe(given);
    expect(await find(places)).toBe(onPath);
    expect(await find({ ...places, PATH: '' })).toBe(inCache);
    expect(await find({ HOME: join(folder, 'home'), PATH: '' })).toBe(inHome);
  });

  it('a program on PATH or in the cache that does not run is passed over', async () => {
    const broken = program('bin/temporal', 'not a program');
    const inCache = program(`xdg/${cached}`);
    const XDG_CACHE_HOME = join(folder, 'xdg');
    expect(await find({ PATH: dirname(broken), XDG_CACHE_HOME })).toBe(inCache);
  });

  it('a TEMPORAL_CLI_PATH that is missing or does not run is named, and nothing else is tried', async () => {
    const missing = join(folder, 'missing');
    await expect(find({ TEMPORAL_CLI_PATH: missing })).rejects.toThrow(PlainError);
    await expect(find({ TEMPORAL_CLI_PATH: missing })).rejects.toThrow(
      `${missing}, which does not exist`,
    );
    const broken = program('broken', 'not a program');
    await expect(find({ TEMPORAL_CLI_PATH: broken })).rejects.toThrow(
      `${broken}, which does not run`,
    );
  });
});
