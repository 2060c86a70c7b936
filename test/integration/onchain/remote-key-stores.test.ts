import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

import { createGuardedSigner } from '../../../src/modules/onchain/signers/guarded-signer.ts';
import type { KeyStore } from '../../../src/modules/onchain/signers/key-store.ts';
import { createKmsKeyStore } from '../../../src/modules/onchain/signers/kms-key-store.ts';
import { createLocalKeyStore } from '../../../src/modules/onchain/signers/local-key-store.ts';
import { createSigningHour } from '../../../src/modules/onchain/signers/signing-hour.ts';
import { createWeb3signerKeyStore } from '../../../src/modules/onchain/signers/web3signer-key-store.ts';
import { SignerSilent } from '../../../src/domain/onchain/signer.ts';
import { encodeUnsigned } from '../../../src/domain/onchain/transaction.ts';
import { startKmsDouble, type KmsDouble } from '../../support/onchain/kms-double.ts';
import { newKey, sampleRules, sampleTransfer } from '../../support/onchain/signer-parts.ts';
import {
  publicKeyOf,
  startWeb3signerDouble,
  type Web3signerDouble,
} from '../../support/onchain/web3signer-double.ts';
import { createTestClock } from '../../support/test-clock.ts';

const SECRET = 'planted-secret-of-aws';
const SHORT_MS = 300;
const UNSIGNED = encodeUnsigned(sampleTransfer());

const signerOf = (keyStore: KeyStore, address: string) =>
  createGuardedSigner({
    ...{ rules: sampleRules(address), keyStore, clock: createTestClock() },
    hour: createSigningHour(),
    spentWithinHour: () => Promise.resolve(0n),
  });
const refusedFor = (why: string) => expect.objectContaining({ name: 'SigningRefused', why });
/** Where nothing listens. */
async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${String(port)}`;
}

beforeAll(() => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIASAMPLE');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', SECRET);
});
afterAll(() => {
  vi.unstubAllEnvs();
});

describe('a key in AWS KMS', () => {
  const { key, address } = newKey();
  const local = signerOf(createLocalKeyStore(key), address);
  let kms: KmsDouble;
  beforeEach(async () => {
    kms = await startKmsDouble(key);
  });
  afterEach(() => kms.close());

  const open = (changes: { endpoint?: string; address?: string; timeoutMs?: number } = {}) => {
    const options = { endpoint: kms.url, address, timeoutMs: 10_000, ...changes };
    const keyStore = createKmsKeyStore({ keyId: 'alias/hot', region: 'eu-central-1', ...options });
    return signerOf(keyStore, options.address);
  };

  it.each(['LOW_S', 'HIGH_S'] as const)('signs as the key itself does, by %s', async (mood) => {
    kms.mood = mood;
    const signer = open();
    const expected = await local.sign(UNSIGNED);
    expect(await signer.sign(UNSIGNED)).toEqual(expected);
    expect(await signer.sign(UNSIGNED)).toEqual(expected);
    // Whose key it is was asked for once.
    expect(kms.asked).toEqual(['GetPublicKey', 'Sign', 'Sign']);
  });

  it('refuses another key, before anything is signed', async () => {
    const signer = open({ address: newKey().address });
    await expect(signer.sign(UNSIGNED)).rejects.toEqual(refusedFor('OTHER_KEY'));
    expect(kms.asked).toEqual(['GetPublicKey']);
  });

  it('refuses a key of another curve', async () => {
    // The head of a key of P-256 (RFC 5480).
    const p256 = await startKmsDouble(key, '3059301306072a8648ce3d020106082a8648ce3d030107034200');
    try {
      const signer = open({ endpoint: p256.url });
      await expect(signer.sign(UNSIGNED)).rejects.toEqual(refusedFor('OTHER_KEY'));
    } finally {
      await p256.close();
    }
  });

  it('refuses what another key signed', async () => {
    kms.signingKey = newKey().key;
    await expect(open().sign(UNSIGNED)).rejects.toEqual(refusedFor('BAD_SIGNATURE'));
  });

  it.each(['GARBAGE', 'NOTHING'] as const)('refuses %s for a signature', async (mood) => {
    kms.mood = mood;
    await expect(open().sign(UNSIGNED)).rejects.toEqual(refusedFor('BAD_SIGNATURE'));
  });

  it.each([
    ['SILENT', 'AWS KMS did not sign: no usable answer'],
    ['DENIED', 'AWS KMS did not sign: AccessDeniedException'],
    ['BROKEN', 'AWS KMS did not sign: no usable answer'],
  ] as const)('is silent where KMS is %s, and signs later', async (mood, said) => {
    kms.mood = mood;
    // The SDK loads while the first question's time runs.
    const signer = open({ timeoutMs: 2_000 });
    const error: unknown = await signer.sign(UNSIGNED).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(SignerSilent);
    expect((error as Error).message).toBe(said);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(SECRET);
    kms.mood = 'LOW_S';
    expect(await signer.sign(UNSIGNED)).toEqual(await local.sign(UNSIGNED));
  });

  it('is silent where nothing listens, and asks again', async () => {
    const signer = open({ endpoint: await closedPort() });
    await expect(signer.sign(UNSIGNED)).rejects.toBeInstanceOf(SignerSilent);
    await expect(signer.sign(UNSIGNED)).rejects.toBeInstanceOf(SignerSilent);
  });
});

describe('a key in web3signer', () => {
  const { key, address } = newKey();
  const local = signerOf(createLocalKeyStore(key), address);
  let server: Web3signerDouble;
  beforeEach(async () => {
    server = await startWeb3signerDouble(key);
  });
  afterEach(() => server.close());

  const open = (timeoutMs = 10_000) =>
    signerOf(createWeb3signerKeyStore({ url: server.url, address, timeoutMs }), address);

  it('signs as the key itself does, found among others', async () => {
    const path = `POST /api/v1/eth1/sign/${publicKeyOf(key)}`;
    server.list = JSON.stringify([publicKeyOf(newKey().key), publicKeyOf(key), 'bls', null]);
    const signer = open();
    expect(await signer.sign(UNSIGNED)).toEqual(await local.sign(UNSIGNED));
    expect(await signer.sign(UNSIGNED)).toEqual(await local.sign(UNSIGNED));
    expect(server.asked).toEqual(['GET /api/v1/eth1/publicKeys', path, path]);
  });

  it('refuses to ask a server that does not hold it', async () => {
    server.list = JSON.stringify([publicKeyOf(newKey().key)]);
    await expect(open().sign(UNSIGNED)).rejects.toEqual(refusedFor('OTHER_KEY'));
    expect(server.asked).toEqual(['GET /api/v1/eth1/publicKeys']);
  });

  it('refuses what another key signed', async () => {
    server.signingKey = newKey().key;
    await expect(open().sign(UNSIGNED)).rejects.toEqual(refusedFor('BAD_SIGNATURE'));
  });

  it.each(['', '0x', `0x${'ab'.repeat(64)}`, `0x${'ab'.repeat(66)}`, 'no signature', '{"r":1}'])(
    'refuses "%s" for a signature',
    async (text) => {
      server.mood = { kind: 'SAYS', status: 200, text };
      await expect(open().sign(UNSIGNED)).rejects.toEqual(refusedFor('BAD_SIGNATURE'));
    },
  );

  it.each([
    [{ kind: 'SILENT' }, SHORT_MS],
    [{ kind: 'ENDLESS' }, 10_000],
    [{ kind: 'SAYS', status: 500, text: 'planted-in-an-answer' }, 10_000],
    [{ kind: 'SAYS', status: 404, text: 'planted-in-an-answer' }, 10_000],
    [{ kind: 'SAYS', status: 302, text: 'planted-in-an-answer' }, 10_000],
  ] as const)('is silent where the server is %j, and signs later', async (mood, timeoutMs) => {
    server.mood = mood;
    const signer = open(timeoutMs);
    const error: unknown = await signer.sign(UNSIGNED).catch((failure: unknown) => failure);
    expect(error).toBeInstanceOf(SignerSilent);
    const shown = inspect(error, { depth: 9, showHidden: true });
    expect(shown).not.toContain('planted-in-an-answer');
    expect(shown).not.toContain(server.url);
    server.mood = { kind: 'RIGHT' };
    expect(await open().sign(UNSIGNED)).toEqual(await local.sign(UNSIGNED));
  });

  it.each(['', '{}', '<html>'])('is silent where "%s" is listed, and looks again', async (list) => {
    const listed = server.list;
    server.list = list;
    const signer = open();
    await expect(signer.sign(UNSIGNED)).rejects.toBeInstanceOf(SignerSilent);
    server.list = listed;
    expect(await signer.sign(UNSIGNED)).toEqual(await local.sign(UNSIGNED));
  });
});
