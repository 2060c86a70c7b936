import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildApiKeyToken, parseApiKeyToken } from '../../src/domain/keys/api-key-token.ts';
import { crc32 } from '../../src/domain/keys/crc32.ts';
import { holdsPermission, PERMISSIONS } from '../../src/domain/keys/permissions.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const fresh = () => {
  return buildApiKeyToken('test', { publicId: randomBytes(9), secret: randomBytes(32) });
};

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

  it('take exactly 9 and 32 random bytes', () => {
    const short = { publicId: randomBytes(8), secret: randomBytes(32) };
    expect(() => buildApiKeyToken('test', short)).toThrow(RangeError);
  });
});

describe('the checksum', () => {
  it('is CRC-32/ISO-HDLC', () => {
    expect(crc32('123456789')).toBe(0xcbf43926);
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
