import { Ajv } from 'ajv';
import { Type, type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import { validationProblems } from '../../../src/api/validation-problems.ts';

const closed = { additionalProperties: false };

/** What a body that does not fit is answered with, as [path, code]. */
function judge(schema: TSchema, body: unknown, part = 'body') {
  const ajv = new Ajv({ allErrors: true, verbose: true, keywords: ['x-error'] });
  const validate = ajv.compile(schema);
  validate(body);
  const problems = validationProblems((validate.errors ?? []) as never, part);
  expect(JSON.stringify(problems)).not.toContain('planted');
  return problems.map(({ path, code }) => [path, code]);
}

describe('problems of a body', () => {
  it('point at the field: missing, unknown, nested, and with odd names', () => {
    const schema = Type.Object({ a: Type.Object({ b: Type.String() }, closed) }, closed);
    expect(judge(schema, {})).toEqual([['/a', 'validation_failed']]);
    expect(judge(schema, { a: { b: 1, 'c/d~': 'planted' } })).toEqual([
      ['/a/c~1d~0', 'validation_failed'],
      ['/a/b', 'validation_failed'],
    ]);
    expect(judge(schema, { limit: 1 }, 'querystring')).toEqual([
      ['/query/a', 'invalid_parameter'],
      ['/query/limit', 'invalid_parameter'],
    ]);
  });

  it.each([null, undefined])(
    'that is %s say that an object is wanted, and of no clearing',
    (body) => {
      const ajv = new Ajv({ allErrors: true, verbose: true });
      const validate = ajv.compile(Type.Object({ a: Type.Object({}) }, closed));
      const problemsOf = (value: unknown) => {
        validate(value);
        return validationProblems((validate.errors ?? []) as never, 'body');
      };
      const message = 'The body must be a JSON object. Send `{}` if it has no fields.';
      expect(problemsOf(body)).toEqual([{ path: '', code: 'validation_failed', message }]);
      expect(problemsOf({ a: null })[0]?.message).toContain('must not be null');
      expect(problemsOf([])[0]?.message).toBe('Must be of type object.');
    },
  );

  it('are one a field, however many keywords failed', () => {
    const schema = Type.Object({ a: Type.String({ minLength: 9, pattern: '^x' }) });
    expect(judge(schema, { a: 'planted' })).toHaveLength(1);
  });

  it('carry the code that the schema declares, but for a wrong type', () => {
    const currency = Type.String({ pattern: '^[A-Z]{3}$', 'x-error': 'unsupported_currency' });
    const country = Type.String({ enum: ['DE'], 'x-error': { enum: 'unsupported_country' } });
    const schema = Type.Object({ currency, country });
    expect(judge(schema, { currency: 'planted', country: 'planted' })).toEqual([
      ['/currency', 'unsupported_currency'],
      ['/country', 'unsupported_country'],
    ]);
    expect(judge(schema, { currency: 1, country: 1 })).toEqual([
      ['/currency', 'validation_failed'],
      ['/country', 'validation_failed'],
    ]);
  });

  it('of a field that may be null are those of its other form, with its code', () => {
    const country = Type.String({ pattern: '^[A-Z]{2}$', 'x-error': 'unsupported_country' });
    const place = Type.Object({ country: Type.Union([country, Type.Null()]) }, closed);
    const schema = Type.Object({ place: Type.Union([place, Type.Null()]) }, closed);
    expect(judge(schema, { place: { country: 'planted' } })).toEqual([
      ['/place/country', 'unsupported_country'],
    ]);
    expect(judge(schema, { place: { country: 5 } })).toEqual([
      ['/place/country', 'validation_failed'],
    ]);
    expect(judge(schema, { place: 'planted' })).toEqual([['/place', 'validation_failed']]);
    expect(judge(schema, { place: { country: null } })).toEqual([]);
  });

  it('of a choice are those of the branch that came closest, or the choice itself', () => {
    const person = Type.Object({ first: Type.String(), last: Type.String() }, closed);
    const firm = Type.Object({ legalName: Type.String() }, closed);
    const schema = Type.Object({
      who: Type.Union([person, firm]),
      n: Type.Union([Type.Number(), Type.Null()]),
    });
    expect(judge(schema, { who: { first: 'planted' }, n: 'planted' })).toEqual([
      ['/who/last', 'validation_failed'],
      ['/n', 'validation_failed'],
    ]);
  });

  it('are a hundred at the most', () => {
    const body = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${String(n)}`, 1]));
    expect(judge(Type.Object({}, closed), body)).toHaveLength(100);
  });
});
