import fc from 'fast-check';
import { getAddress, hexToBytes, parseTransaction, serializeTransaction } from 'viem/utils';
import { describe, expect, it } from 'vitest';

import { decodeSweepCall, encodeSweepCall } from '../../../src/domain/onchain/sweep-call.ts';
import {
  decodeSigned,
  decodeUnsigned,
  encodeSigned,
  encodeUnsigned,
  selfTransfer,
  transactionHash,
} from '../../../src/domain/onchain/transaction.ts';
import {
  decodeTransferCall,
  encodeTransferCall,
  referenceMark,
} from '../../../src/domain/onchain/transfer-call.ts';

const SENDER = '0x3535353535353535353535353535353535353535';

const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const hexOf = (length: number) =>
  bytesOf(length).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const);
const addresses = hexOf(20).map((hex) => getAddress(hex));
const uint256 = fc.bigInt({ min: 0n, max: (1n << 256n) - 1n });
const wei = fc.bigInt({ min: 0n, max: 1n << 90n });

const transactions = fc
  .record({
    chainId: fc.bigInt({ min: 1n, max: 1n << 52n }),
    nonce: fc.bigInt({ min: 0n, max: 1n << 52n }),
    maxPriorityFeePerGas: wei,
    tip: wei,
    gas: fc.bigInt({ min: 0n, max: 1n << 60n }),
    to: addresses,
    value: uint256,
    data: fc.uint8Array({ maxLength: 120 }),
  })
  .map(({ tip, ...fields }) => ({ ...fields, maxFeePerGas: fields.maxPriorityFeePerGas + tip }));

const transfers = fc.record({ to: addresses, amount: uint256, mark: bytesOf(16) });

describe('a marked transfer', () => {
  it('is the call of EIP-20 and 16 bytes of SHA-256 of the reference', () => {
    const mark = referenceMark('abc');
    const data = encodeTransferCall({ to: getAddress(SENDER), amount: 1_000_000n, mark });
    expect(Buffer.from(data).toString('hex')).toBe(
      'a9059cbb' +
        '0000000000000000000000003535353535353535353535353535353535353535' +
        '00000000000000000000000000000000000000000000000000000000000f4240' +
        // FIPS 180-2, appendix B.1.
        'ba7816bf8f01cfea414140de5dae2223',
    );
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(transfers, (call) => {
        expect(decodeTransferCall(encodeTransferCall(call))).toEqual(call);
      }),
    );
  });

  it('is read from no other bytes', () => {
    const [from, to] = [0, 84];
    fc.assert(
      fc.property(transfers, fc.nat(to - 1), fc.integer({ min: 1, max: 255 }), (call, at, flip) => {
        const data = encodeTransferCall(call);
        data[at] = (data[at] ?? 0) ^ flip;
        const read = decodeTransferCall(data);
        // Selector and the padding before the address are fixed; the rest says something else.
        if (at < 16) expect(read).toBeNull();
        else expect(read).not.toEqual(call);
      }),
    );
    const data = encodeTransferCall({
      to: getAddress(SENDER),
      amount: 1n,
      mark: referenceMark('a'),
    });
    expect(decodeTransferCall(data.slice(from, 68))).toBeNull();
    expect(decodeTransferCall(data.slice(from, to - 1))).toBeNull();
    expect(decodeTransferCall(new Uint8Array([...data, 0]))).toBeNull();
  });

  it('has a mark of 16 bytes, or is not written', () => {
    const call = { to: getAddress(SENDER), amount: 1n, mark: new Uint8Array(15) };
    expect(() => encodeTransferCall(call)).toThrow(RangeError);
  });
});

describe('a sweep', () => {
  const sweeps = fc.record({ salts: fc.array(hexOf(32), { maxLength: 50 }), token: addresses });

  it('is read as it was written, and from no longer, shorter or padded bytes', () => {
    fc.assert(
      fc.property(sweeps, (call) => {
        const data = encodeSweepCall(call);
        expect(decodeSweepCall(data)).toEqual(call);
        expect(decodeSweepCall(data.slice(0, -1))).toBeNull();
        expect(decodeSweepCall(new Uint8Array([...data, 0]))).toBeNull();
      }),
    );
  });
});

describe('an unsigned transaction', () => {
  it('is what viem makes of the same fields', () => {
    const transaction = selfTransfer(
      {
        ...{ chainId: 8453n, nonce: 7n, gas: 21_000n },
        ...{ maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
      },
      getAddress(SENDER),
    );
    const fields = { ...transaction, chainId: 8453, nonce: 7, data: '0x' } as const;
    const expected = serializeTransaction({
      ...fields,
      ...{ type: 'eip1559', to: SENDER },
    });
    expect(encodeUnsigned(transaction)).toEqual(hexToBytes(expected));
  });

  it('is read as it was written, signed and unsigned', () => {
    const signatures = fc.record({ r: hexOf(32), s: hexOf(32), yParity: fc.constantFrom(0, 1) });
    fc.assert(
      fc.property(transactions, signatures, (transaction, given) => {
        const signature = { ...given, yParity: given.yParity === 0 ? 0 : 1 } as const;
        const unsigned = encodeUnsigned(transaction);
        const signed = encodeSigned(transaction, signature);
        expect(decodeUnsigned(unsigned)).toEqual(transaction);
        expect(decodeSigned(unsigned)).toBeNull();
        expect(decodeSigned(signed)).toEqual({ transaction, signature });
        expect(decodeUnsigned(signed)).toBeNull();
      }),
    );
  });

  it('is no random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(decodeUnsigned(bytes)).toBeNull();
        expect(decodeUnsigned(new Uint8Array([2, ...bytes]))).toBeNull();
      }),
    );
  });

  it('never reads the same after a byte has changed', () => {
    fc.assert(
      fc.property(transactions, fc.nat(), fc.integer({ min: 1, max: 255 }), (given, at, flip) => {
        const bytes = encodeUnsigned(given);
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ flip;
        expect(decodeUnsigned(bytes)).not.toEqual(given);
      }),
    );
  });

  it('with an access list, which viem reads, is none of ours', () => {
    const listed = serializeTransaction({
      ...{ type: 'eip1559', chainId: 1, nonce: 0, gas: 21_000n, to: SENDER },
      ...{ maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
      accessList: [{ address: SENDER, storageKeys: [] }],
    });
    expect(parseTransaction(listed).accessList).toHaveLength(1);
    expect(decodeUnsigned(hexToBytes(listed))).toBeNull();
  });

  it('without a recipient, which would make a contract, is none of ours', () => {
    const creation = serializeTransaction({
      ...{ type: 'eip1559', chainId: 1, nonce: 0, gas: 21_000n, data: '0x6000' },
      ...{ maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
    });
    expect(decodeUnsigned(hexToBytes(creation))).toBeNull();
  });

  it('is refused where a number of it cannot be held', () => {
    const turn = { gas: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n };
    const huge = selfTransfer({ ...turn, chainId: 1n, nonce: 1n << 60n }, getAddress(SENDER));
    expect(() => encodeUnsigned(huge)).toThrow(RangeError);
  });

  it('is known by keccak-256 of its bytes', () => {
    // keccak-256 of nothing.
    expect(transactionHash(new Uint8Array())).toBe(
      '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
  });
});
