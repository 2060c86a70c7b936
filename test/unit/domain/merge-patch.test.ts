import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyMergePatch } from '../../../src/domain/merge-patch.ts';

const apply = applyMergePatch as (target: unknown, patch: unknown) => unknown;

describe('a merge patch', () => {
  // RFC 7396, appendix A.
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('%j with %j is %j', (target, patch, result) => {
    expect(apply(target, patch)).toEqual(result);
  });

  it('leaves both as they are, and says nothing new a second time', () => {
    const plain = fc.jsonValue();
    fc.assert(
      fc.property(plain, plain, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        const once = apply(target, patch);
        expect(JSON.stringify([target, patch])).toBe(before);
        expect(apply(once, patch)).toEqual(once);
      }),
    );
  });

  it('of a member named like the prototype makes a member, and changes no prototype', () => {
    const patch: unknown = JSON.parse('{"constructor":{"x":1},"__proto__":{"polluted":true}}');
    const result = apply({}, patch) as object;
    expect(Object.keys(result)).toEqual(['constructor', '__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });
});
