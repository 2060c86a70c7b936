import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { readDevConfig } from '../../../src/config/dev-config.ts';
import { readSandboxConfig } from '../../../src/config/sandbox-config.ts';
import type { Env } from '../../../src/config/variables.ts';
import { ROOT } from './markdown.ts';

const page = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
const folder = join(ROOT, 'src/config');
const sources = readdirSync(folder)
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');

/** Enough for every program to start, both environments and every sandbox server included. */
const COMPLETE: Env = {
  DATABASE_URL: 'postgres://127.0.0.1/causeway',
  ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 1).toString('base64')}`,
  PEPPER: Buffer.alloc(32, 2).toString('base64'),
  SANDBOX_DATA_DIR: '/tmp/sandbox',
  ...provider('BANK', 3),
  ...provider('LIVE_BANK', 4),
  ...provider('KYC', 5),
  ...provider('LIVE_KYC', 6),
  SANDBOX_BANK_PORT: '1',
  SANDBOX_LIVE_BANK_PORT: '2',
  SANDBOX_KYC_PORT: '3',
  SANDBOX_LIVE_KYC_PORT: '4',
};

function provider(name: string, seed: number): Record<string, string> {
  return {
    [`${name}_URL`]: `http://127.0.0.1:${String(4000 + seed)}`,
    [`${name}_CALLBACK_SECRET`]: `whsec_${Buffer.alloc(32, seed).toString('base64')}`,
  };
}

/** The variables that the programs ask for when they start: the truth, whatever their names are made of. */
function askedFor(): Set<string> {
  const asked = new Set<string>();
  const env = new Proxy(COMPLETE, {
    get(target, name) {
      if (typeof name === 'string') asked.add(name);
      return Reflect.get(target, name) as string | undefined;
    },
  });
  readConfig(env);
  readDevConfig(env);
  readSandboxConfig(env);
  return asked;
}

/** First cells of the page's tables, and the third of a table of pairs: the variables it documents. */
function documented(): Set<string> {
  const cells = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.split('|').filter((_, column) => column === 1 || column === 3));
  const names = cells.flatMap((cell) => /^ *`([A-Z][A-Z0-9_]+)` *$/.exec(cell)?.[1] ?? []);
  return new Set(names);
}

/** Named by tools of others: they have no reader in src/config. */
const OF_OTHERS = new Set(['TEMPORAL_ADDRESS']);

describe('docs/configuration.md', () => {
  it('names every variable that a program asks for', () => {
    const known = documented();
    expect([...askedFor()].filter((name) => !known.has(name))).toEqual([]);
  });

  it('names no variable that no program asks for', () => {
    const asked = askedFor();
    const unknown = [...documented()].filter((name) => !asked.has(name) && !OF_OTHERS.has(name));
    expect(unknown).toEqual([]);
  });

  it('tells the timings that the code has', () => {
    const { timing } = readConfig(COMPLETE);
    const told = [...page.matchAll(/`(TEST|LIVE)_[A-Z_]+_MS` *\| *`([0-9]+)`/g)];
    const values = (environment: 'TEST' | 'LIVE') =>
      told.filter((match) => match[1] === environment).map((match) => Number(match[2]));
    expect(values('TEST')).toEqual(Object.values(timing.test));
    expect(values('LIVE')).toEqual(Object.values(timing.live));
  });

  it('knows every name that harnesses in the sources of the configuration', () => {
    const named = [...sources.matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g)].map(
      (match) => match[1] ?? '',
    );
    expect(named.length).toBeGreaterThan(20);
    // Parts of names (BANK_TIMEOUT_MS, TEST_RATE) count where a documented name holds them.
    const all = [...documented()];
    expect(named.filter((name) => !all.some((known) => known.includes(name)))).toEqual([]);
  });
});
