import { describe, expect, it } from 'vitest';
import { fieldGroups } from '../../../src/web/docs/reference/field-tree.ts';
import { follow, type OpenApi } from '../../../src/web/docs/reference/open-api.ts';
import { readReference } from '../../../src/web/docs/reference/reference.ts';
import { sampleOfMedia, sampleOfSchema } from '../../../src/web/docs/reference/sample-value.ts';
import { DOCUMENT, PLANTED } from '../../support/web/sample-document.ts';

const BARE: OpenApi = { info: { title: 'bare' }, paths: {} };

describe('a sample', () => {
  it("is the document's own example where it has one", () => {
    const schema = { type: 'string', examples: ['of the schema'] };
    const named = { schema, examples: { first: { value: 1 }, second: { value: 2 } } };
    expect(sampleOfMedia(BARE, { schema, example: 'own' }, true)).toBe('own');
    expect(sampleOfMedia(BARE, named, true)).toBe(1);
    expect(sampleOfMedia(BARE, { schema }, true)).toBe('of the schema');
  });

  it('of a request holds what must be sent, of an answer all that comes', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer', minimum: 3 }, b: { enum: ['X', 'Y'] } },
    };
    expect(sampleOfSchema(BARE, schema, true)).toEqual({ a: 3 });
    expect(sampleOfSchema(BARE, schema, false)).toEqual({ a: 3, b: 'X' });
  });

  it('of a schema that holds itself ends', () => {
    const sample = sampleOfSchema(DOCUMENT, { $ref: '#/components/schemas/Thing' }, true);
    expect(JSON.stringify(sample).length).toBeLessThan(2_000);
  });
});

describe('the fields of a body', () => {
  const [group] = fieldGroups(DOCUMENT, { $ref: '#/components/schemas/Thing' });
  const field = (name: string) => group?.fields.find((one) => one.name === name);

  it('say type, limits, values and whether they must be there', () => {
    expect(field('name')).toMatchObject({
      type: 'text',
      presence: 'required',
      limits: ['at most 10 characters'],
      description: PLANTED,
    });
    expect(field('note')).toMatchObject({ type: 'text or null', presence: 'optional' });
    expect(field('state')?.values).toEqual(['"OPEN"', '"SHUT"']);
    expect(group?.fields.at(-1)?.presence).toBe('optional');
  });

  it('of a schema that holds itself end', () => {
    expect(field('parts')).toMatchObject({ type: 'array of Thing', groups: [] });
  });

  it('are told apart where an object may be one of several', () => {
    const one = { type: 'object', title: 'One', properties: { a: { type: 'string' } } };
    const other = { type: 'object', title: 'Other', properties: { b: { type: 'string' } } };
    const titles = fieldGroups(BARE, { anyOf: [one, other] }).map(({ title }) => title);
    expect(titles).toEqual(['One', 'Other']);
    const [only] = fieldGroups(BARE, { anyOf: [one, { type: 'null' }] });
    expect(only).toMatchObject({ title: '', fields: [{ name: 'a' }] });
  });

  it('that are needed in some cases say so', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      allOf: [{ then: { required: ['a'] }, else: { required: ['b'] } }],
    };
    const [{ fields } = { fields: [] }] = fieldGroups(BARE, schema);
    expect(fields.map(({ presence }) => presence)).toEqual(['at times', 'at times']);
  });
});

describe('the reference', () => {
  it('has what an operation takes, answers and may be refused with', () => {
    const [tag] = readReference(DOCUMENT);
    expect(tag?.operations[0]).toMatchObject({
      id: 'updateThing',
      scope: 'things:write',
      needsKey: true,
      errors: ['not_found'],
      answers: [{ status: '200' }],
    });
  });

  it('refuses a document whose references lead nowhere', () => {
    expect(() => follow(BARE, { $ref: '#/components/schemas/Nothing' })).toThrow('Nothing');
  });
});
