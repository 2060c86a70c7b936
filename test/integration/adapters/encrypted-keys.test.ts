import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { readConfig } from '../../../src/server/config/config.ts';
import { readOperatorKeys } from '../../../src/server/runtime/open-operator-keys.ts';
import { openVault } from '../../../src/server/runtime/open-vault.ts';
import { startEncryptingKms, type EncryptingKms } from '../../support/kms/encrypting-kms.ts';
import { SAMPLE_KEYS, sampleKey } from '../../support/sample-secrets.ts';

const ROW = 'samples/1';
const KEY = Buffer.from(sampleKey('encryption'), 'base64');
const SECOND_KEY = Buffer.from(sampleKey('encryption, the second one'), 'base64');
const SHORT_MS = 300;

const contextOf = (number: number) => ({ causeway: 'encryption-key', number: String(number) });
const open = (ENCRYPTION_KEYS: string, deadlineMs?: number) => {
  const env = { ...SAMPLE_KEYS, DATABASE_URL: 'postgres://localhost/causeway', ENCRYPTION_KEYS };
  return openVault(readConfig(env).vault, deadlineMs);
};
/** What is said of keys that do not open; '' where they do. Neither the setting nor a key is in it. */
async function problemsOf(setting: string, deadlineMs?: number): Promise<string> {
  const error: unknown = await open(setting, deadlineMs).then(
    () => null,
    (failure: unknown) => failure,
  );
  if (error === null) return '';
  const shown = inspect(error, { depth: 9, showHidden: true });
  for (const entry of setting.split(',')) expect(shown).not.toContain(entry.replace(/^.*:/, ''));
  expect(shown).not.toContain('planted-in-a-type');
  expect((error as Error).name).toBe('ConfigError');
  return (error as Error).message;
}
const notDecrypted = (number: number, why: string) =>
  `- ENCRYPTION_KEYS: AWS KMS did not decrypt key ${String(number)}: ${why}`;

let kms: EncryptingKms;
beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIASAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'planted-secret-of-aws');
  vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent');
});
beforeEach(async () => {
  kms = await startEncryptingKms();
  vi.stubEnv('AWS_REGION', 'eu-central-1');
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', kms.url);
});
afterEach(() => kms.close());
afterAll(() => {
  vi.unstubAllEnvs();
});

describe('an encryption key that AWS KMS has encrypted', () => {
  const encrypted = (number: number, key: Buffer = KEY, context: object = contextOf(number)) =>
    `${String(number)}:kms:${kms.encrypt(key, { ...context })}`;

  it('takes the place of the same key without sealing anything anew', async () => {
    const before = await open(`1:${KEY.toString('base64')}`);
    expect(kms.asked).toEqual([]);
    const after = await open(encrypted(1));
    expect(after.open(before.seal(Buffer.from('sealed before'), ROW), ROW).toString()).toBe(
      'sealed before',
    );
    expect(before.open(after.seal(Buffer.from('sealed after'), ROW), ROW).toString()).toBe(
      'sealed after',
    );
    expect(kms.asked).toEqual(['Decrypt']);
  });

  it('stands beside one in plain, and the last of the list seals', async () => {
    const plain = `1:${KEY.toString('base64')}`;
    const first = await open(`${encrypted(2, SECOND_KEY)},${plain}`);
    const last = await open(`${plain},${encrypted(2, SECOND_KEY)}`);
    expect([first.currentKeyId, last.currentKeyId]).toEqual([1, 2]);
    expect(first.open(last.seal(Buffer.from('sealed'), ROW), ROW).toString()).toBe('sealed');
  });

  it.each([
    ['the number of another key', contextOf(2)],
    ['another purpose', { ...contextOf(1), causeway: 'something-else' }],
    ['no encryption context', {}],
  ])('is refused if it was encrypted with %s', async (_what, context) => {
    expect(await problemsOf(encrypted(1, KEY, context))).toContain(
      notDecrypted(1, 'InvalidCiphertextException'),
    );
  });

  it.each([31, 33])('is refused where it has %i bytes', async (length) => {
    expect(await problemsOf(encrypted(1, Buffer.alloc(length, KEY)))).toContain(
      notDecrypted(1, 'its answer is not 32 bytes long'),
    );
  });

  it('is named by its number, with all others that do not open', async () => {
    const sample = Buffer.from(sampleKey('not from KMS'), 'base64').toString('base64');
    const setting = `1:kms:${sample},${encrypted(2, SECOND_KEY)},${encrypted(3, Buffer.alloc(31, KEY))}`;
    const said = await problemsOf(setting);
    expect(said.split('\n').slice(1)).toEqual([
      notDecrypted(1, 'InvalidCiphertextException'),
      notDecrypted(3, 'its answer is not 32 bytes long'),
    ]);
  });

  it.each([
    ['DENIED', 'AccessDeniedException', 1],
    // The SDK asks again, and no more often.
    ['BROKEN', 'no usable answer', 3],
  ] as const)('starts nothing where KMS is %s', async (mood, why, times) => {
    kms.mood = mood;
    expect(await problemsOf(encrypted(1))).toContain(notDecrypted(1, why));
    expect(kms.asked).toHaveLength(times);
  });

  it('waits for KMS until one deadline for all keys', async () => {
    kms.mood = 'SILENT';
    const said = await problemsOf(`${encrypted(1)},${encrypted(2, SECOND_KEY)}`, SHORT_MS);
    expect(said.split('\n').slice(1)).toEqual(
      [1, 2].map((number) => notDecrypted(number, 'no answer within 0.3 s')),
    );
    expect(kms.asked.length).toBeLessThanOrEqual(1);
  });

  it('starts nothing where nothing listens, or no region is set', async () => {
    const setting = encrypted(1);
    vi.stubEnv('AWS_ENDPOINT_URL_KMS', `http://127.0.0.1:${String(await freePort())}`);
    expect(await problemsOf(setting)).toContain(notDecrypted(1, 'no usable answer'));
    vi.stubEnv('AWS_REGION', '');
    expect(await problemsOf(setting)).toContain(notDecrypted(1, 'AWS_REGION is not set'));
  });

  it('is asked for over https alone, except on this machine', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL_KMS', 'http://kms.invalid');
    expect(await problemsOf(encrypted(1))).toContain(
      notDecrypted(1, 'its address must begin with https://, or http:// on this machine'),
    );
    expect(kms.asked).toEqual([]);
  });

  it('opens for verify too, which checks what software keys have signed', async () => {
    const env = { ...SAMPLE_KEYS, OPS_PASSKEY: 'software', ENCRYPTION_KEYS: encrypted(1) };
    expect(await readOperatorKeys(env)).not.toBeNull();
    kms.mood = 'DENIED';
    await expect(readOperatorKeys(env)).rejects.toThrow(notDecrypted(1, 'AccessDeniedException'));
  });
});
