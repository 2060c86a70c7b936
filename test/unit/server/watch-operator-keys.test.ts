import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperatorKeys } from '../../../src/domain/approvals/operator-keys.ts';
import { ConfigError } from '../../../src/server/config/settings.ts';
import { operatorKeys } from '../../../src/server/runtime/open-operator-keys.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';
import { createTestVault } from '../../support/test-vault.ts';

const ORIGIN = 'https://ops.example';
const ADA = 'opr_01m8k3v3ake02bmmh7az75m5ta';
const BEN = 'opr_01m8k3v3ake02bmmh7az75m5tb';
const PASSKEY = Buffer.from([1, 2]);

let folder: string;
let path: string;
let clock: TestClock;
let told: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'operator-keys-'));
  path = join(folder, 'keys.json');
  clock = createTestClock();
  told = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const naming = (...operators: readonly string[]) => ({
  origin: ORIGIN,
  keys: operators.map((operator, at) => ({
    ...{ operator, role: 'COMPLIANCE', credentialId: PASSKEY.toString('base64url') },
    publicKey: Buffer.from([3, at]).toString('base64url'),
  })),
});
const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : JSON.stringify(content);

/** As a text editor or a deployment does: a reader has the one file or the other. */
function replace(content: unknown): void {
  writeFileSync(`${path}.new`, textOf(content));
  renameSync(`${path}.new`, path);
}

const open = (): OperatorKeys =>
  operatorKeys({ opsPasskey: 'required', operatorKeysFile: path }, createTestVault(), {
    clock,
    onRead: ({ keys }) => void told.push(`${String(keys.length)} keys`),
    onUnusable: (why) => void told.push(why),
  });
const counts = (keys: OperatorKeys, operator: string) => keys.find(operator, PASSKEY) !== null;

describe('keys of a file that is changed while a process runs', () => {
  it('count, and those that were removed do not, a second after the file was replaced', () => {
    replace(naming(ADA));
    const keys = open();
    const before = keys.version;
    replace(naming(BEN));
    clock.advance(999);
    expect([counts(keys, ADA), counts(keys, BEN), keys.version]).toEqual([true, false, before]);
    clock.advance(1);
    expect([counts(keys, ADA), counts(keys, BEN)]).toEqual([false, true]);
    expect(keys.version).not.toBe(before);
    expect(told).toEqual(['1 keys']);
  });

  it('count where the file is written in place', () => {
    replace(naming(ADA));
    const keys = open();
    writeFileSync(path, textOf(naming(ADA, BEN)));
    clock.advance(1_000);
    expect([counts(keys, ADA), counts(keys, BEN)]).toEqual([true, true]);
  });

  it('count where a folder of the path is a link that now leads elsewhere, as in Kubernetes', () => {
    const put = (version: string, content: unknown): void => {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, 'keys.json'), textOf(content));
      symlinkSync(version, join(folder, 'link.new'));
      renameSync(join(folder, 'link.new'), join(folder, '..data'));
    };
    put('..1', naming(ADA));
    symlinkSync(join('..data', 'keys.json'), path);
    const keys = open();
    put('..2', naming(BEN));
    clock.advance(1_000);
    expect([counts(keys, ADA), counts(keys, BEN)]).toEqual([false, true]);
  });

  it('count after the clock was set back', () => {
    replace(naming(ADA));
    const keys = open();
    replace(naming(BEN));
    clock.advance(-3_600_000);
    expect(counts(keys, BEN)).toBe(true);
  });

  it.each([
    ['is no JSON', '{"origin":', 'must be the path of a readable JSON file'],
    ['lacks something', { keys: [] }, 'is no file of operator keys'],
    ['names one key for two', one('AwA'), 'names one key for two operators'],
    ['is of another console', { ...naming(BEN), origin: 'https://other.example' }, 'a restart'],
  ])('stay as they are where the new file %s, which is told once', (_how, content, why) => {
    replace(naming(ADA));
    const keys = open();
    const before = keys.version;
    replace(content);
    for (let nr = 0; nr < 3; nr += 1) {
      clock.advance(1_000);
      expect([counts(keys, ADA), counts(keys, BEN), keys.version]).toEqual([true, false, before]);
    }
    expect(told).toEqual([expect.stringContaining(why)]);
    replace(naming(BEN));
    clock.advance(1_000);
    expect([counts(keys, ADA), counts(keys, BEN)]).toEqual([false, true]);
  });

  it('stay as they are where the file is gone', () => {
    replace(naming(ADA));
    const keys = open();
    rmSync(path);
    clock.advance(1_000);
    expect(counts(keys, ADA)).toBe(true);
    expect(told).toEqual([expect.stringContaining('readable JSON file')]);
  });

  it('do not start a process from a file that cannot be used', () => {
    expect(open).toThrow(ConfigError);
  });
});

/** Both operators with the same public key. */
function one(publicKey: string) {
  const both = naming(ADA, BEN);
  return { ...both, keys: both.keys.map((key) => ({ ...key, publicKey })) };
}
