import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/server/config/config.ts';
import { ConfigError } from '../../../src/server/config/settings.ts';
import { SAMPLE_KEYS } from '../../support/sample-secrets.ts';

const BASE = { DATABASE_URL: 'postgres://localhost/causeway', ...SAMPLE_KEYS };
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'operator-keys-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function problemsOf(env: Record<string, string>): string {
  try {
    readConfig({ ...BASE, ...env });
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

function fileOf(content: unknown): string {
  const path = join(folder, 'keys.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const KEY = {
  operator: 'opr_01m8k3v3ake02bmmh7az75m5ta',
  role: 'COMPLIANCE',
  credentialId: 'AQI',
  publicKey: 'AwQ',
};
const FILE_KEY = {
  ...{ operator: 'opr_01m8k3v3ake02bmmh7az75m5tb', role: 'COMPLIANCE' },
  publicKey: 'MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=',
};
const FILE = { origin: 'https://ops.example', keys: [KEY] };

describe('software keys', () => {
  const software = { OPS_PASSKEY: 'software' };

  it('sign in a local run', () => {
    expect(problemsOf(software)).toBe('');
  });

  it.each([
    ['in production', { NODE_ENV: 'production' }, 'NODE_ENV must not be production'],
    ['beside a console on the internet', { OPS_URL: 'https://ops.example' }, 'OPS_URL must be'],
    [
      'beside a dashboard on the internet',
      { DASHBOARD_URL: 'https://pay.example' },
      'DASHBOARD_URL must be a loopback URL',
    ],
    [
      'beside a live bank on another machine',
      { LIVE_BANK_URL: 'https://bank.example', LIVE_BANK_CALLBACK_SECRET: 'x' },
      'LIVE_BANK_URL must be a loopback URL',
    ],
    [
      'beside a file of operator keys',
      { OPERATOR_KEYS_FILE: 'FILE' },
      'takes no OPERATOR_KEYS_FILE',
    ],
  ])('start no process %s', (_where, env, reason) => {
    const given: Record<string, string> = { ...software, ...env };
    if (given['OPERATOR_KEYS_FILE'] !== undefined) given['OPERATOR_KEYS_FILE'] = fileOf(FILE);
    expect(problemsOf(given)).toContain(reason);
  });
});

describe('the file of operator keys', () => {
  it('is taken as ops writes it', () => {
    expect(problemsOf({ OPERATOR_KEYS_FILE: fileOf(FILE) })).toBe('');
  });

  it('names file keys beside passkeys, and no key for two operators', () => {
    const both = { ...FILE, fileKeys: [FILE_KEY] };
    expect(problemsOf({ OPERATOR_KEYS_FILE: fileOf(both) })).toBe('');
    // The last two bits of base64 mean nothing here: another letter says the same bytes.
    const [letter = ''] = FILE_KEY.publicKey.slice(-2);
    const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const alike = `${FILE_KEY.publicKey.slice(0, -2)}${LETTERS[LETTERS.indexOf(letter) ^ 1] ?? ''}=`;
    expect(Buffer.from(alike, 'base64')).toEqual(Buffer.from(FILE_KEY.publicKey, 'base64'));
    for (const publicKey of [FILE_KEY.publicKey, alike]) {
      const again = { ...FILE_KEY, publicKey, operator: KEY.operator };
      const shared = { ...FILE, fileKeys: [FILE_KEY, again] };
      expect(problemsOf({ OPERATOR_KEYS_FILE: fileOf(shared) })).toContain(
        `OPERATOR_KEYS_FILE names one key for two operators, ${FILE_KEY.operator}, ${KEY.operator}`,
      );
    }
  });

  it.each([
    ['without an origin', { keys: [KEY] }],
    ['with a path in its origin', { ...FILE, origin: 'https://ops.example/console' }],
    ['with a role that there is not', { ...FILE, keys: [{ ...KEY, role: 'OWNER' }] }],
    ['with a key of nobody', { ...FILE, keys: [{ ...KEY, operator: 'usr_1' }] }],
    ['with a key that is no base64url', { ...FILE, keys: [{ ...KEY, publicKey: 'a+b' }] }],
    ['with a field that it does not know', { ...FILE, trustAll: true }],
    [
      'with a file key that is not of Ed25519',
      { ...FILE, fileKeys: [{ ...FILE_KEY, publicKey: 'AwQ' }] },
    ],
  ])('is refused %s', (_how, content) => {
    expect(problemsOf({ OPERATOR_KEYS_FILE: fileOf(content) })).toContain(
      'OPERATOR_KEYS_FILE is no file of operator keys',
    );
  });
});
