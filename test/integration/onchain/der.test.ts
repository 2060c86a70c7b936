import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { CURVE_ORDER } from '../../../src/domain/onchain/secp256k1.ts';
import { readDerPublicKey, readDerSignature } from '../../../src/modules/onchain/signers/der.ts';
import { derSignature } from '../../support/onchain/kms-double.ts';

const halves = fc.bigInt({ min: 1n, max: CURVE_ORDER - 1n });

describe('a signature in DER', () => {
  it('is read as it was written, and not with a byte more or less', () => {
    fc.assert(
      fc.property(halves, halves, (r, s) => {
        const der = derSignature(r, s);
        expect(readDerSignature(der)).toEqual({ r, s });
        expect(readDerSignature(der.subarray(0, -1))).toBeNull();
        expect(readDerSignature(Buffer.concat([der, Buffer.from([0])]))).toBeNull();
      }),
    );
  });

  it('has one form: whatever else is read would be written differently', () => {
    fc.assert(
      fc.property(halves, halves, fc.nat(), fc.integer({ min: 1, max: 255 }), (r, s, at, flip) => {
        const der = derSignature(r, s);
        const index = at % der.length;
        der[index] = (der[index] ?? 0) ^ flip;
        const read = readDerSignature(der);
        if (read === null) return;
        expect(derSignature(read.r, read.s)).toEqual(der);
      }),
    );
  });

  it.each([
    ['', 'nothing'],
    ['3000', 'no integers'],
    ['30060201010201', 'half an integer'],
    ['3006020101020181', 'a negative integer'],
    ['300702020001020101', 'an integer with a needless zero'],
    ['3080020101020101', 'an indefinite length'],
    ['30040201010200', 'an empty integer'],
    ['3106020101020101', 'a set'],
  ])('%s is none: %s', (hex) => {
    expect(readDerSignature(Buffer.from(hex, 'hex'))).toBeNull();
  });

  it('has halves that the curve has', () => {
    for (const half of [0n, CURVE_ORDER, (1n << 256n) - 1n]) {
      expect(readDerSignature(derSignature(half, 1n))).toBeNull();
      expect(readDerSignature(derSignature(1n, half))).toBeNull();
    }
  });

  it('is not random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const read = readDerSignature(bytes);
        if (read !== null) expect(derSignature(read.r, read.s)).toEqual(Buffer.from(bytes));
      }),
    );
  });
});

describe('a public key in DER', () => {
  const head = '3056301006072a8648ce3d020106052b8104000a034200';
  const point = `04${'5a'.repeat(64)}`;

  it('is a point of secp256k1 without compression', () => {
    expect(readDerPublicKey(Buffer.from(head + point, 'hex'))).toEqual(
      new Uint8Array(Buffer.from(point, 'hex')),
    );
  });

  it.each([
    [`${head}${point}00`, 'a byte more'],
    [`${head}${point.slice(2)}`, 'a byte less'],
    [`${head}02${point.slice(2)}`, 'another form of the point'],
    [`${head.replace('0a', '22')}${point}`, 'another curve'],
  ])('is refused: %#', (hex) => {
    expect(readDerPublicKey(Buffer.from(hex, 'hex'))).toBeNull();
  });
});
