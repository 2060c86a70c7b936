import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { recoverAddress } from 'viem/utils';
import { describe, expect, it } from 'vitest';

import {
  createGuardedSigner,
  type GuardedSignerDeps,
} from '../../../src/modules/onchain/signers/guarded-signer.ts';
import type { KeyStore } from '../../../src/modules/onchain/signers/key-store.ts';
import { createLocalKeyStore } from '../../../src/modules/onchain/signers/local-key-store.ts';
import { KeyUnusable, openKey, sealKey } from '../../../src/modules/onchain/signers/sealed-keys.ts';
import { createSigningHour } from '../../../src/modules/onchain/signers/signing-hour.ts';
import { SigningRefused } from '../../../src/domain/onchain/signer.ts';
import {
  decodeSigned,
  encodeUnsigned,
  selfTransfer,
  transactionHash,
} from '../../../src/domain/onchain/transaction.ts';
import { newKey, sampleRules, sampleTransfer } from '../../support/onchain/signer-parts.ts';
import { createTestClock } from '../../support/test-clock.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const HOUR_MS = 3_600_000;

function open(changes: Partial<GuardedSignerDeps> = {}) {
  const { key, address } = newKey();
  const clock = createTestClock();
  const keyStore = createLocalKeyStore(key);
  const signer = createGuardedSigner({
    ...{ rules: sampleRules(address), keyStore, clock, hour: createSigningHour() },
    spentWithinHour: () => Promise.resolve(0n),
    ...changes,
  });
  const pay = (nonce: bigint, amount: bigint, gwei = 2n) =>
    signer.sign(
      encodeUnsigned(sampleTransfer({ nonce, maxFeePerGas: gwei * 1_000_000_000n }, amount)),
    );
  return { key, address, clock, keyStore, signer, pay };
}

/** A key store that answers something else than what its key signed. */
const bent = (
  keyStore: KeyStore,
  bend: (given: Awaited<ReturnType<KeyStore['sign']>>) => Awaited<ReturnType<KeyStore['sign']>>,
): KeyStore => ({ sign: async (unsigned) => bend(await keyStore.sign(unsigned)) });

const refusedFor = (why: string) => expect.objectContaining({ name: 'SigningRefused', why });

describe('a signer', () => {
  it('signs what was asked, by the address, and the same again', async () => {
    const { signer, address } = open();
    const transaction = sampleTransfer();
    const unsigned = encodeUnsigned(transaction);
    const { raw, hash } = await signer.sign(unsigned);
    const signed = decodeSigned(raw);
    expect(signed?.transaction).toEqual(transaction);
    expect(hash).toBe(transactionHash(raw));
    const { r, s, yParity } = signed?.signature ?? { r: '0x', s: '0x', yParity: 0 };
    const signature = { r: r as `0x${string}`, s: s as `0x${string}`, yParity };
    const signedBy = await recoverAddress({ hash: transactionHash(unsigned), signature });
    expect(signedBy).toBe(address);
    expect(signer.address).toBe(address);
    expect((await signer.sign(unsigned)).raw).toEqual(raw);
  });

  it('gives a low s, whichever half the key store answers with', async () => {
    const { key, address } = newKey();
    const local = createLocalKeyStore(key);
    const low = open({ rules: sampleRules(address), keyStore: local });
    const high = open({
      rules: sampleRules(address),
      keyStore: bent(local, ({ r, s }) => ({ r, s: ORDER - s })),
    });
    for (let nonce = 0n; nonce < 8n; nonce += 1n) {
      const one = await low.pay(nonce, 1n);
      expect(await high.pay(nonce, 1n)).toEqual(one);
      const s = decodeSigned(one.raw)?.signature.s ?? '';
      expect(BigInt(s) <= ORDER / 2n).toBe(true);
    }
  });

  it.each([
    ['another signature', (r: bigint, s: bigint) => ({ r, s: s ^ 1n })],
    ['no r', (_r: bigint, s: bigint) => ({ r: 0n, s })],
    ['no s', (r: bigint) => ({ r, s: 0n })],
    ['an r over the order', (_r: bigint, s: bigint) => ({ r: ORDER, s })],
    ['an s over the order', (r: bigint, s: bigint) => ({ r, s: s + ORDER })],
  ])('refuses a key store that gives %s', async (_what, bend) => {
    const { key, address } = newKey();
    const keyStore = bent(createLocalKeyStore(key), ({ r, s }) => bend(r, s));
    const { pay } = open({ rules: sampleRules(address), keyStore });
    await expect(pay(0n, 1n)).rejects.toEqual(refusedFor('BAD_SIGNATURE'));
  });

  it('believes nothing that the key store says about the parity', async () => {
    const { key, address } = newKey();
    const local = createLocalKeyStore(key);
    for (const yParity of [0, 1] as const) {
      const keyStore = bent(local, ({ r, s }) => ({ r, s, yParity }));
      const guessed = open({ rules: sampleRules(address), keyStore });
      const told = open({ rules: sampleRules(address), keyStore: local });
      for (let nonce = 0n; nonce < 4n; nonce += 1n) {
        expect(await guessed.pay(nonce, 1n)).toEqual(await told.pay(nonce, 1n));
      }
    }
  });

  it('refuses a key store that signs by another key', async () => {
    const { pay } = open({ keyStore: createLocalKeyStore(newKey().key) });
    await expect(pay(0n, 1n)).rejects.toEqual(refusedFor('BAD_SIGNATURE'));
  });

  it('asks no key store for what the policy refuses', async () => {
    let asked = 0;
    const keyStore: KeyStore = {
      sign: () => {
        asked += 1;
        return Promise.resolve({ r: 1n, s: 1n });
      },
    };
    const { signer, pay } = open({ keyStore });
    await expect(signer.sign(randomBytes(80))).rejects.toEqual(refusedFor('UNREADABLE'));
    await expect(pay(0n, 1_000_000_001n)).rejects.toEqual(refusedFor('AMOUNT_OVER_CAP'));
    expect(asked).toBe(0);
  });

  it('signs the bytes that it judged, though the caller changes them meanwhile', async () => {
    const good = encodeUnsigned(sampleTransfer());
    const bad = encodeUnsigned(sampleTransfer({}, 16_000_000n));
    expect(bad).toHaveLength(good.length);
    const given = Uint8Array.from(good);
    const { signer } = open({
      spentWithinHour: () => {
        given.set(bad);
        return Promise.resolve(0n);
      },
    });
    const { raw } = await signer.sign(given);
    expect(decodeSigned(raw)?.transaction).toEqual(sampleTransfer());
  });
});

describe("an hour's cap", () => {
  it('holds over all signer accounts of the network, asset by asset', async () => {
    const hour = createSigningHour();
    const [one, other] = [open({ hour }), open({ hour })];
    await one.pay(0n, 1_000_000_000n);
    await other.pay(0n, 1_000_000_000n);
    await expect(one.pay(1n, 500_000_001n)).rejects.toEqual(refusedFor('HOUR_OVER_CAP'));
    await one.pay(1n, 500_000_000n);
    await expect(other.pay(1n, 1n)).rejects.toEqual(refusedFor('HOUR_OVER_CAP'));
    // What moves nothing of the asset is signed still, or no nonce could be freed.
    await other.signer.sign(encodeUnsigned(selfTransfer(sampleTransfer(), other.address)));
  });

  it('counts a nonce once, however often it is signed and whatever the fee', async () => {
    const { pay } = open();
    for (const gwei of [2n, 3n, 4n]) await pay(0n, 1_000_000_000n, gwei);
    await pay(1n, 1_000_000_000n);
    await pay(2n, 500_000_000n);
    // Of two amounts for one nonce the larger one counts.
    await pay(2n, 1n);
    await expect(pay(3n, 1n)).rejects.toEqual(refusedFor('HOUR_OVER_CAP'));
  });

  it('frees what was signed for an hour ago, and not a moment before', async () => {
    const { pay, clock } = open();
    for (const nonce of [0n, 1n]) await pay(nonce, 1_000_000_000n);
    clock.advance(HOUR_MS - 1);
    await expect(pay(2n, 1_000_000_000n)).rejects.toEqual(refusedFor('HOUR_OVER_CAP'));
    clock.advance(1);
    await pay(2n, 1_000_000_000n);
  });

  it('counts what was signed for before a restart', async () => {
    const asked: unknown[] = [];
    const { pay, address, clock } = open({
      spentWithinHour: (...args) => {
        asked.push(args);
        return Promise.resolve(2_400_000_000n);
      },
    });
    await pay(7n, 100_000_000n);
    expect(asked).toEqual([
      ['USDC', new Date(clock.now().getTime() - HOUR_MS), [{ address, first: 7n, last: 7n }]],
    ]);
    await expect(pay(8n, 100_000_001n)).rejects.toEqual(refusedFor('HOUR_OVER_CAP'));
  });

  it('says what is left of it, by what was signed here and what is known elsewhere of other nonces', async () => {
    let known = 0n;
    const { signer, pay, clock } = open({ spentWithinHour: () => Promise.resolve(known) });
    expect(await signer.room?.('USDC')).toMatchObject({ hourLeft: 2_500_000_000n });
    await pay(0n, 1_000_000_000n);
    expect(await signer.room?.('USDC')).toMatchObject({ hourLeft: 1_500_000_000n });
    known = 1_400_000_000n;
    expect(await signer.room?.('USDC')).toMatchObject({ hourLeft: 100_000_000n });
    known = 1_600_000_000n;
    expect(await signer.room?.('USDC')).toMatchObject({ hourLeft: 0n });
    expect(await signer.room?.('EURT')).toMatchObject({ hourLeft: 0n });
    known = 0n;
    clock.advance(HOUR_MS);
    expect(await signer.room?.('USDC')).toMatchObject({ hourLeft: 2_500_000_000n });
  });

  it('cannot be outrun by asking at the same time after a restart', async () => {
    const { pay } = open({ spentWithinHour: () => Promise.resolve(2_250_000_000n) });
    const results = await Promise.allSettled(
      Array.from({ length: 16 }, (_, nonce) => pay(BigInt(nonce), 100_000_000n)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });

  it('counts what was signed here and is stored by now once', async () => {
    const stored = new Map<bigint, bigint>([[4n, 1_000_000_000n]]);
    const { pay } = open({
      async spentWithinHour(_asset, _since, except) {
        const isOut = (nonce: bigint): boolean =>
          except.some(({ first, last }) => first <= nonce && nonce <= last);
        return [...stored].reduce(
          (sum, [nonce, amount]) => (isOut(nonce) ? sum : sum + amount),
          0n,
        );
      },
    });
    for (const nonce of [5n, 7n, 6n]) {
      await pay(nonce, 500_000_000n);
      stored.set(nonce, 500_000_000n);
    }
    await expect(pay(8n, 1n)).rejects.toEqual(refusedFor('HOUR_OVER_CAP'));
  });

  it('cannot be outrun by asking at the same time', async () => {
    const { pay } = open();
    const results = await Promise.allSettled(
      [0n, 1n, 2n, 3n, 4n].map((nonce) => pay(nonce, 1_000_000_000n)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });
});

describe('a sealed key', () => {
  const secret = randomBytes(32);

  it('opens in its place, and nowhere else', () => {
    const { key } = newKey();
    const { address, sealed } = sealKey(secret, 'live', key);
    expect(openKey(secret, { environment: 'live', address }, sealed)).toEqual(key);
    const other = newKey().address;
    for (const attempt of [
      () => openKey(secret, { environment: 'test', address }, sealed),
      () => openKey(secret, { environment: 'live', address: other }, sealed),
      () => openKey(randomBytes(32), { environment: 'live', address }, sealed),
      () => openKey(secret, { environment: 'live', address }, sealed.slice(4)),
      () => openKey(secret, { environment: 'live', address }, ''),
    ]) {
      expect(attempt).toThrow(KeyUnusable);
    }
  });

  it('shows in no error and in nothing that is printed', async () => {
    const { key, address } = newKey();
    const { sealed } = sealKey(secret, 'test', key);
    const keyStore = createLocalKeyStore(openKey(secret, { environment: 'test', address }, sealed));
    const { signer } = open({ rules: sampleRules(address), keyStore });
    const errors: unknown[] = [];
    for (const bytes of [randomBytes(10), encodeUnsigned(sampleTransfer({ value: 1n }))]) {
      await signer.sign(bytes).catch((error: unknown) => errors.push(error));
    }
    expect(errors.every((error) => error instanceof SigningRefused)).toBe(true);
    try {
      openKey(randomBytes(32), { environment: 'test', address }, sealed);
    } catch (error) {
      errors.push(error);
    }
    const shown = inspect([errors, signer, keyStore], { depth: 9, showHidden: true });
    for (const form of [
      key.toString('hex'),
      key.toString('base64'),
      BigInt(`0x${key.toString('hex')}`).toString(),
    ]) {
      expect(shown).not.toContain(form);
    }
  });
});
