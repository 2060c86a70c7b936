import { describe, expect, it } from 'vitest';
import { numberParameters, valuesInOrder } from '../../../src/db/client/named-parameters.ts';
import { prepareStatement } from '../../../src/db/client/prepared-statement.ts';

describe('numberParameters', () => {
  it('numbers names by their first place, and gives a repeated name one number', () => {
    expect(numberParameters('SELECT :b, :a, :b, :long_Name2')).toEqual({
      text: 'SELECT $1, $2, $1, $3',
      names: ['b', 'a', 'long_Name2'],
    });
  });

  it('tells a name from a longer one that it begins', () => {
    const { text, names } = numberParameters('VALUES (:at, :attempts, :a)');
    expect(text).toBe('VALUES ($1, $2, $3)');
    expect(names).toEqual(['at', 'attempts', 'a']);
  });

  it.each([
    ['a cast', 'SELECT :a::text[], now()::date', 'SELECT $1::text[], now()::date'],
    ['a text', `SELECT ':x', :a, 'it''s :y'`, `SELECT ':x', $1, 'it''s :y'`],
    ['a text with escapes', `SELECT E'\\':x', :a`, `SELECT E'\\':x', $1`],
    ['a backslash at the end of a text', `SELECT '\\', :a, ':x'`, `SELECT '\\', $1, ':x'`],
    ['a quoted name', 'SELECT :a AS ":x"', 'SELECT $1 AS ":x"'],
    ['a line comment', 'SELECT -- :x\n :a', 'SELECT -- :x\n $1'],
    ['a block comment', 'SELECT /* :x\n:y */ :a', 'SELECT /* :x\n:y */ $1'],
    ['a quote in a comment', "SELECT -- it's\n :a, ':x'", "SELECT -- it's\n $1, ':x'"],
  ])('leaves a colon alone in %s', (_where, named, text) => {
    expect(numberParameters(named)).toEqual({ text, names: ['a'] });
  });

  it('refuses a text that mixes numbers and names', () => {
    expect(() => numberParameters('SELECT $1, :a')).toThrow('$1');
  });

  it('reads a text once', () => {
    const text = 'SELECT :once';
    expect(numberParameters(text)).toBe(numberParameters(text));
  });
});

describe('valuesInOrder', () => {
  it('keeps null, false and zero as they are', () => {
    const values = { c: 0, a: null, b: false };
    expect(valuesInOrder(['a', 'b', 'c'], values)).toEqual([null, false, 0]);
  });

  it('refuses a name without a value, which would become NULL', () => {
    expect(() => valuesInOrder(['a', 'b'], { a: 1 })).toThrow('no value for :b');
    expect(() => valuesInOrder(['a', 'b'], { a: 1, b: undefined })).toThrow('no value for :b');
  });

  it('refuses a value that the text does not use', () => {
    expect(() => valuesInOrder(['a'], { a: 1, b: 2, c: 3 })).toThrow('does not use :b, :c');
  });
});

describe('prepareStatement', () => {
  it('gives one text one name, whatever its values are', () => {
    const first = prepareStatement('SELECT :a', { a: 1 });
    const second = prepareStatement('SELECT :a', { a: 2 });
    expect(first).toEqual({ name: second.name, text: 'SELECT $1', values: [1] });
    expect(second.values).toEqual([2]);
    expect(prepareStatement('SELECT $1', [3]).name).toBe(first.name);
  });

  it('does not name a statement without values', () => {
    expect(prepareStatement('COMMIT')).toEqual({ text: 'COMMIT' });
  });
});
