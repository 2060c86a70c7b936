import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatReference } from '../../../src/domain/payments/reference.ts';
import { transferReference } from '../../../src/modules/payments/transfer-reference.ts';
import { createTestVault } from '../../support/test-vault.ts';

const HASH = createHash('sha256').update('sample').digest();

describe('the reference of an attempt', () => {
  it('has thirty characters that every rail lets through', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        fc.integer({ min: 1, max: 99 }),
        (hash, attempt) => {
          const reference = formatReference(hash, attempt);
          expect(reference).toMatch(/^CW[0-9A-HJKMNP-TV-Z]{26}[0-9]{2}$/);
          expect(reference.endsWith(String(attempt).padStart(2, '0'))).toBe(true);
        },
      ),
    );
  });

  it('is made of the first 130 bits', () => {
    expect(formatReference(Buffer.alloc(32, 0), 1)).toBe(`CW${'0'.repeat(26)}01`);
    expect(formatReference(Buffer.alloc(32, 255), 99)).toBe(`CW${'Z'.repeat(26)}99`);
    // 0x84 0x21 ... is 10000 10000 10000 ...: the digit of 16 throughout.
    expect(formatReference(Buffer.from('84210842108421084210842108421084210842', 'hex'), 7)).toBe(
      `CW${'G'.repeat(26)}07`,
    );
  });

  it.each([0, 100, 1.5, Number.NaN, -1])('refuses attempt %s', (attempt) => {
    expect(() => formatReference(HASH, attempt)).toThrow(RangeError);
  });

  it('refuses a hash that is too short', () => {
    expect(() => formatReference(HASH.subarray(0, 16), 1)).toThrow(RangeError);
  });
});

describe('what a reference is made from', () => {
  const vault = createTestVault();
  const scope = { customerId: 'cus_a', environment: 'test' } as const;
  const reference = (more: { scope?: object; key?: string; attempt?: number } = {}) =>
    transferReference(vault, { ...scope, ...more.scope }, more.key ?? 'key', more.attempt ?? 1);

  it('is the same for the same scope, key and attempt, and for nothing else', () => {
    expect(reference()).toBe(reference());
    const others = [
      reference({ scope: { customerId: 'cus_b' } }),
      reference({ scope: { environment: 'live' } }),
      reference({ key: 'Key' }),
      reference({ attempt: 2 }),
    ];
    expect(new Set([reference(), ...others]).size).toBe(5);
  });

  it('differs in nothing but the number between two attempts', () => {
    expect(reference({ attempt: 2 }).slice(0, -2)).toBe(reference().slice(0, -2));
  });
});
