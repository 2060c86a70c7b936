import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlainError } from '../../../../src/server/runtime/plain-error.ts';
import { buildTemporal } from '../../../../src/cli/embedded/temporal-build.ts';
import {
  TEMPORAL_CLI_VERSION,
  findTemporalCli,
} from '../../../../src/cli/embedded/temporal-cli.ts';

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

const GO_ON_ITS_WAY = `#!/bin/sh
[ "$1" = env ] && echo go1.26.8 && exit 0
echo 'go: downloading github.com/a/b v1.0.0' >&2
for i in $(seq 648); do echo "example.com/package/v$i" >&2; done
sleep 3
`;

const find = (environment: Record<string, string>): Promise<string> =>
  findTemporalCli({ environment, progress: () => undefined });

describe('building the Temporal CLI', () => {
  async function build(go: string) {
    program('bin/go', go);
    const said: { line: string; share?: number | null }[] = [];
    const problem = await buildTemporal({
      target: join(folder, 'temporal'),
      version: TEMPORAL_CLI_VERSION,
      environment: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
      progress: (line, moving) => said.push({ line, share: moving?.share }),
    });
    return { problem, said };
  }

  it('says first how long it takes and what avoids it, then how much is done', async () => {
    const { problem, said } = await build(`${GO_ON_ITS_WAY}touch "$GOBIN/temporal"\n`);
    expect(problem).toBeNull();
    expect(said[0]?.line).toMatch(/2\.5 to 5 minutes.*TEMPORAL_CLI_PATH.*"temporal" on PATH/);
    expect(said[0]?.share).toBeUndefined();
    expect(said.at(-1)?.line).toMatch(/^Temporal CLI: building, 49 % \(\d+ s\)$/);
    expect(said.at(-1)?.share).toBeCloseTo(0.5, 2);
  });

  it('tells what failed, also where names of packages came after it', async () => {
    const failed = "echo 'a.go:1:1: syntax error' >&2; echo example.com/last >&2; exit 1\n";
    expect((await build(`${GO_ON_ITS_WAY}${failed}`)).problem).toBe('a.go:1:1: syntax error');
  });
});

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
