import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildApiKeyToken,
  parseApiKeyToken,
} from '../../../src/modules/customers/api-key-token.ts';
import { holdsPermission, PERMISSIONS } from '../../../src/domain/customers/keys/permissions.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const fresh = () => {
  return buildApiKeyToken('test', { publicId: randomBytes(9), secret: randomBytes(32) });
};

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const numberOf = (digits: string) =>
  Array.from(digits).reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
const toNumber = (octets: Uint8Array) =>
  octets.reduce((value, octet) => value * 256n + BigInt(octet), 0n);

describe('API key tokens', () => {
  it('have the published form whatever the random bytes are', () => {
    const anyEnvironment = fc.constantFrom('test' as const, 'live' as const);
    fc.assert(
      fc.property(anyEnvironment, bytes(9), bytes(32), (environment, publicId, secret) => {
        const built = buildApiKeyToken(environment, { publicId, secret });
        expect(built.token).toMatch(
          /^cw_(test|live)_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/,
        );
        expect(parseApiKeyToken(built.token)).toEqual(built);
      }),
    );
  });

  it('with one character changed are told apart without a look-up', () => {
    const { token } = fresh();
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      expect(parseApiKeyToken(token.slice(0, index) + other + token.slice(index + 1))).toBeNull();
    }
  });

  it('of another kind are no tokens', () => {
    const { token } = fresh();
    for (const text of ['', 'cw_test_', `${token}0`, ` ${token}`, token.replace('test', 'prod')]) {
      expect(parseApiKeyToken(text)).toBeNull();
    }
  });

  it.each([
    ['zero', () => 0, 'cw_test_000000000000_0000000000000000000000000000000000000000000433Hd7'],
    ['255', () => 255, 'cw_test_SkYaaiXSSTS3_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp12MzZUe'],
    [
      'its index',
      (index: number) => index,
      'cw_test_005McJmDgrvc_003aUlTJC7tjlCTQj2uNU3MFagCXG9LRKRcwGkBIDlf1yUxrn',
    ],
  ])('of bytes that are each %s are always the same text', (_, byteAt, token) => {
    const publicId = Uint8Array.from({ length: 9 }, (_, index) => byteAt(index));
    const secret = Uint8Array.from({ length: 32 }, (_, index) => byteAt(index));
    expect(buildApiKeyToken('test', { publicId, secret }).token).toBe(token);
    expect(parseApiKeyToken(token)?.token).toBe(token);
  });

  it('are the random numbers in base 62, with the CRC-32 of the text before it', () => {
    fc.assert(
      fc.property(bytes(9), bytes(32), (publicId, secret) => {
        const { token } = buildApiKeyToken('live', { publicId, secret });
        const [, , idDigits, secretDigits] = token.split('_');
        expect(numberOf(idDigits ?? '')).toBe(toNumber(publicId) % 62n ** 12n);
        expect(numberOf(secretDigits?.slice(0, 43) ?? '')).toBe(toNumber(secret));
        expect(numberOf(token.slice(-6))).toBe(BigInt(crc32(token.slice(0, -6))));
      }),
    );
  });

  it('take exactly 9 and 32 random bytes', () => {
    const short = { publicId: randomBytes(8), secret: randomBytes(32) };
    expect(() => buildApiKeyToken('test', short)).toThrow(RangeError);
  });
});

describe('permissions', () => {
  it('are held one by one, or all of them by *', () => {
    expect(holdsPermission(['payments:read'], 'payments:read')).toBe(true);
    expect(holdsPermission(['payments:read'], 'payments:write')).toBe(false);
    expect(holdsPermission(['payments:write'], 'payments:read')).toBe(false);
    for (const permission of PERMISSIONS) expect(holdsPermission(['*'], permission)).toBe(true);
  });
});
