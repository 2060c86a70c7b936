import { TypeID, typeid } from 'typeid-js';
import { describe, expect, it } from 'vitest';
import { idsFrom, idTimeMs } from '../../../src/domain/id-time.ts';

describe('the time in an id', () => {
  it('is the moment at which it was made', () => {
    const before = Date.now();
    const at = idTimeMs(typeid('req').toString());
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(Date.now());
  });

  it('is read from an id whose time is known', () => {
    // The example of RFC 9562, appendix A.6: 2022-02-22 14:22:22 GMT-05:00.
    const id = TypeID.fromUUID('req', '017f22e2-79b0-7cc3-98c4-dc0c0c07398f').toString();
    expect(idTimeMs(id)).toBe(Date.parse('2022-02-22T14:22:22-05:00'));
  });

  it('sorts ids: what was made before a moment lies below, what was made at it or later does not', () => {
    const id = typeid('pay').toString();
    const at = idTimeMs(id);
    expect(idsFrom('pay', at) <= id).toBe(true);
    expect(idsFrom('pay', at + 1) > id).toBe(true);
    expect(idTimeMs(`${idsFrom('pay', at)}0000000000000000`)).toBe(at);
  });
});
