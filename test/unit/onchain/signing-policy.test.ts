import fc from 'fast-check';
import { getAddress } from 'viem/utils';
import { describe, expect, it } from 'vitest';

import { judgeSigning, SIGNING_REFUSALS } from '../../../src/domain/onchain/signing-policy.ts';
import { encodeSweepCall } from '../../../src/domain/onchain/sweep-call.ts';
import {
  encodeSigned,
  encodeUnsigned,
  selfTransfer,
  type ChainTransaction,
} from '../../../src/domain/onchain/transaction.ts';
import { encodeTransferCall, referenceMark } from '../../../src/domain/onchain/transfer-call.ts';
import {
  EURC,
  FACTORY,
  OTHER_HOT_ADDRESS,
  PAYEE,
  sampleRules,
  sampleTransfer,
  USDC,
} from '../../support/onchain/signer-parts.ts';

const OWN = getAddress(`0x${'0a'.repeat(20)}`);
const ZERO = getAddress(`0x${'00'.repeat(20)}`);
const RULES = sampleRules(OWN);
const CAPS = RULES.gasCaps;
const NOTHING = new Uint8Array();
const SALT = `0x${'5a'.repeat(32)}`;

const judge = (transaction: ChainTransaction) => judgeSigning(encodeUnsigned(transaction), RULES);
const refusal = (transaction: ChainTransaction) => {
  const judged = judge(transaction);
  return judged.ok ? null : judged.why;
};
const paying = (to: string, amount: bigint) =>
  encodeTransferCall({ to, amount, mark: referenceMark('CWY0000000001') });
const sweeping = (salts: number, token: string) =>
  encodeSweepCall({ salts: Array.from({ length: salts }, () => SALT), token });

describe('the policy lets through', () => {
  it('a marked transfer of a listed token, and says what it spends', () => {
    const transaction = sampleTransfer();
    expect(judge(transaction)).toEqual({
      ok: true,
      transaction,
      spending: { asset: 'USDC', amount: 10_000_000n, hourMax: 2_500_000_000n },
    });
    expect(refusal(sampleTransfer(CAPS, 1_000_000_000n))).toBeNull();
  });

  it.each([USDC, EURC, ZERO])('a sweep of %s by our factory, which spends nothing', (token) => {
    const sweep = sampleTransfer({ to: FACTORY, gas: 6_000_000n, data: sweeping(50, token) });
    expect(judge(sweep)).toEqual({ ok: true, transaction: sweep, spending: null });
  });

  it('0 wei to the address itself, which uses up a nonce', () => {
    const nothing = selfTransfer(sampleTransfer(), OWN);
    expect(judge(nothing)).toEqual({ ok: true, transaction: nothing, spending: null });
  });
});

describe('the policy refuses', () => {
  const transfer = sampleTransfer().data;
  const approve = new Uint8Array(transfer);
  approve.set([0x09, 0x5e, 0xa7, 0xb3]);

  it.each([
    ['another chain', { chainId: 1n }, 'OTHER_CHAIN'],
    ['a fee over the cap', { maxFeePerGas: CAPS.maxFeePerGas + 1n }, 'FEE_OVER_CAP'],
    [
      'a tip over the cap',
      { ...CAPS, maxPriorityFeePerGas: CAPS.maxPriorityFeePerGas + 1n },
      'FEE_OVER_CAP',
    ],
    ['much gas for a transfer', { gas: 1_000_001n }, 'GAS_OVER_CAP'],
    ['coins beside a transfer', { value: 1n }, 'COIN_WITH_CALL'],
    ['a token that is not listed', { to: PAYEE }, 'UNKNOWN_TOKEN'],
    ['a transfer without a mark', { data: transfer.slice(0, 68) }, 'UNKNOWN_CALL'],
    ['a transfer with more behind it', { data: new Uint8Array(85) }, 'UNKNOWN_CALL'],
    ['an approval of a listed token', { data: approve }, 'UNKNOWN_CALL'],
    ['more than a transfer may be', { data: paying(PAYEE, 1_000_000_001n) }, 'AMOUNT_OVER_CAP'],
    ['a transfer to the zero address', { data: paying(ZERO, 1n) }, 'BAD_RECIPIENT'],
    ['a transfer to a token', { data: paying(EURC, 1n) }, 'BAD_RECIPIENT'],
    ['a transfer to the factory', { data: paying(FACTORY, 1n) }, 'BAD_RECIPIENT'],
    ['another call of the factory', { to: FACTORY }, 'UNKNOWN_CALL'],
    ['a sweep by another', { to: PAYEE, data: sweeping(1, USDC) }, 'UNKNOWN_TOKEN'],
    ['a sweep called on a token', { data: sweeping(1, USDC) }, 'UNKNOWN_CALL'],
    ['a sweep of another token', { to: FACTORY, data: sweeping(1, PAYEE) }, 'UNKNOWN_TOKEN'],
    ['a sweep of 51', { to: FACTORY, data: sweeping(51, USDC) }, 'TOO_MANY_SALTS'],
    [
      'much gas for a sweep',
      { to: FACTORY, gas: 10_000_001n, data: sweeping(1, USDC) },
      'GAS_OVER_CAP',
    ],
    ['coins to itself', { to: OWN, value: 1n, data: NOTHING }, 'COIN_TRANSFER'],
    ['coins to a stranger', { to: PAYEE, value: 1n, data: NOTHING }, 'COIN_TRANSFER'],
    ['nothing to a stranger', { to: PAYEE, data: NOTHING }, 'COIN_TRANSFER'],
    ['nothing to another of ours', { to: OTHER_HOT_ADDRESS, data: NOTHING }, 'COIN_TRANSFER'],
    [
      'coins to another of ours',
      { to: OTHER_HOT_ADDRESS, value: 1n, data: NOTHING },
      'COIN_TRANSFER',
    ],
    ['coins to the factory', { to: FACTORY, value: 1n, data: NOTHING }, 'COIN_TRANSFER'],
    ['much gas to itself', { to: OWN, gas: 1_000_001n, data: NOTHING }, 'GAS_OVER_CAP'],
  ])('%s', (_what, changes, why) => {
    expect(refusal(sampleTransfer(changes))).toBe(why);
    expect(SIGNING_REFUSALS).toContain(why);
  });

  it('what is signed already', () => {
    const signature = { r: SALT, s: SALT, yParity: 0 } as const;
    const signed = encodeSigned(sampleTransfer(), signature);
    expect(judgeSigning(signed, RULES)).toEqual({ ok: false, why: 'UNREADABLE' });
  });

  it('random bytes, whatever their type', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(judgeSigning(bytes, RULES)).toEqual({ ok: false, why: 'UNREADABLE' });
        const typed = new Uint8Array([2, ...bytes]);
        expect(judgeSigning(typed, RULES)).toEqual({ ok: false, why: 'UNREADABLE' });
      }),
    );
  });

  it('a good transaction with a bit flipped, unless what it then says is allowed too', () => {
    const good = encodeUnsigned(sampleTransfer());
    const { length } = good;
    for (let bit = 0; bit < length * 8; bit += 1) {
      const flipped = new Uint8Array(good);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const judged = judgeSigning(flipped, RULES);
      if (!judged.ok) continue;
      const { transaction, spending } = judged;
      // What was judged is what would be signed, to the last bit.
      expect(encodeUnsigned(transaction)).toEqual(flipped);
      expect(transaction).toMatchObject({ chainId: 8453n, to: USDC, value: 0n });
      expect(transaction.data.slice(0, 16)).toEqual(sampleTransfer().data.slice(0, 16));
      expect(spending?.amount).toBeLessThanOrEqual(1_000_000_000n);
    }
  });
});
