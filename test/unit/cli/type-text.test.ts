import { describe, expect, it } from 'vitest';
import type { ApiDocument, Schema } from '../../../src/cli/generators/client-types/api-document.ts';
import { docComment } from '../../../src/cli/generators/client-types/doc-comment.ts';
import { renderOperationsFile } from '../../../src/cli/generators/client-types/operations-file.ts';
import { renderSchemasFile } from '../../../src/cli/generators/client-types/schemas-file.ts';
import { typeText } from '../../../src/cli/generators/client-types/type-text.ts';

const amount: Schema = {
  anyOf: [{ type: 'number' }, { type: 'string', pattern: '^[0-9]+$' }],
};
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

describe('the type of a schema', () => {
  const types: readonly (readonly [string, Schema, string])[] = [
    ['text', { type: 'string', pattern: '^a$' }, 'string'],
    ['a whole number', { type: 'integer' }, 'number'],
    ['what may be null', { anyOf: [{ type: 'boolean' }, { type: 'null' }] }, 'boolean | null'],
    ['several types in one', { type: ['string', 'null'] }, 'string | null'],
    ['a set of values', { enum: ['A', "it's", 3] }, "'A' | 'it\\'s' | 3"],
    ['one value', { const: 'A' }, "'A'"],
    ['an amount: text alone', amount, 'string'],
    [
      'a number beside text that is no amount',
      { anyOf: [{ type: 'number' }, { type: 'string' }] },
      'number | string',
    ],
    ['a list', { type: 'array', items: ref('Fee') }, 'readonly Fee[]'],
    ['a list of choices', { type: 'array', items: { enum: ['A', 'B'] } }, "readonly ('A' | 'B')[]"],
    ['a named schema', ref('Payment'), 'Payment'],
    ['one whose name would hide a class', ref('Error'), 'ErrorBody'],
    ['anything', {}, 'unknown'],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'string' } },
      'Readonly<Record<string, string>>',
    ],
    [
      'a map by pattern',
      { type: 'object', patternProperties: { a: {} } },
      'Readonly<Record<string, unknown>>',
    ],
    [
      'a schema and more of it',
      { allOf: [ref('Data'), { properties: { a: { const: 1 } }, required: ['a'] }] },
      'Data & {\n  readonly a: 1;\n}',
    ],
    [
      'an object, of which conditions are the API’s to judge',
      {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string', description: 'Said.' }, b: { type: 'boolean' } },
        allOf: [{ not: {} } as Schema],
      },
      '{\n  /** Said. */\n  readonly a: string;\n  readonly b?: boolean | undefined;\n}',
    ],
  ];
  for (const [what, schema, text] of types) {
    it(`is right for ${what}`, () => {
      expect(typeText(schema)).toBe(text);
    });
  }

  it('refuses a reference that leads elsewhere', () => {
    expect(() => typeText({ $ref: 'https://example.com/schema' })).toThrow('no named schema');
  });
});

it('a comment cannot be ended by what the document says', () => {
  expect(docComment('a */ b', '')).toBe('/** a * / b */\n');
  const long = docComment(`${'word '.repeat(40)}*/ end`, '  ');
  expect(long.match(/\*\//g)).toHaveLength(1);
  for (const line of long.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});

describe('the files', () => {
  const document: ApiDocument = {
    components: {
      schemas: {
        Thing: {
          properties: { id: { type: 'string' } },
          required: ['id'],
          description: 'A thing.',
        },
        NewThing: { properties: { amount }, required: ['amount'] },
        Unused: { enum: ['A'] },
      },
    },
    paths: {
      '/things/{thingId}': {
        post: {
          operationId: 'changeThing',
          summary: 'Change a thing',
          security: [],
          parameters: [
            { name: 'thingId', in: 'path', required: true, schema: { type: 'string' } },
            { name: 'limit', in: 'query', schema: { type: 'string' } },
            { name: 'after', in: 'query', schema: { type: 'string', format: 'date-time' } },
            { name: 'idempotency-key', in: 'header', schema: { type: 'string' } },
          ],
          requestBody: {
            required: false,
            content: { 'application/json': { schema: ref('NewThing') } },
          },
          responses: {
            '201': { content: { 'application/json': { schema: ref('Thing') } } },
            '400': { content: { 'application/json': { schema: ref('Unused') } } },
          },
        },
      },
      '/callbacks': {
        post: { operationId: 'receive', tags: ['Provider callbacks'], responses: {} },
      },
    },
  };

  it('have a type for every named schema', () => {
    expect(renderSchemasFile(document, '// Head.\n')).toBe(`// Head.

/** A thing. */
export interface Thing {
  readonly id: string;
}

export interface NewThing {
  readonly amount: string;
}

export type Unused = 'A';
`);
  });

  it('have a row and types for every operation of a partner, and none of a provider', () => {
    expect(renderOperationsFile(document, '// Head.\n')).toBe(`// Head.

import type { Page, Paging } from '../page.ts';
import type {
  NewThing, Thing,
} from './schemas.ts';

/** Of what types the parameters, the body and the answer of each operation are. */
export interface Operations {
  /** Change a thing. */
  readonly changeThing: {
    readonly path: { readonly thingId: string };
    readonly query: {
      readonly limit?: number | undefined;
      readonly after?: string | Date | undefined;
    } | undefined;
    readonly body: NewThing | undefined;
    readonly answer: Thing;
  };
}

/** How an operation is sent. */
export interface OperationRules {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  readonly path: string;
  readonly needsApiKey?: true;
  readonly takesIdempotencyKey?: true;
  readonly takesIfMatch?: true;
}

/** How each operation is sent. */
export const OPERATIONS = {
  changeThing: { method: 'POST', path: '/things/{thingId}', takesIdempotencyKey: true },
} as const satisfies Record<keyof Operations, OperationRules>;
`);
  });
});
