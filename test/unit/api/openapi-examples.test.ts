import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../src/domain/errors/registry.ts';
import { ID_PREFIXES, isId } from '../../../src/domain/ids.ts';
import { OPERATION_EXAMPLES } from '../../../src/api/examples/operation-examples.ts';
import {
  readOpenApi,
  type Media,
  type OpenApiDocument,
} from '../../support/api/openapi-document.ts';

type Operations = Awaited<ReturnType<typeof readOpenApi>>['operations'];

let document: OpenApiDocument;
let operations: Operations;
let ajv: Ajv2020;

beforeAll(async () => {
  ({ document, operations } = await readOpenApi());
  const formats = { date: true, 'date-time': /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, double: true } as const;
  ajv = new Ajv2020({ strict: false, formats });
  ajv.addSchema(document, 'openapi');
});

/** The media of every body and answer. */
function allMedia() {
  const calls = [
    ...operations,
    ...Object.entries(document.webhooks).map(([type, { post }]) => {
      return { name: `webhook ${type}`, operation: post };
    }),
  ];
  return calls.flatMap(({ name, operation }) => [
    ...Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) => {
      return { what: `${name} body`, status: null, type, media };
    }),
    ...Object.entries(operation.responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, media]) => {
        return { what: `${name} ${status}`, status, type, media };
      }),
    ),
  ]);
}

const valuesOf = (media: Media): unknown[] =>
  Object.values(media.examples ?? {}).map(({ $ref, value }) =>
    $ref === undefined ? value : document.components.examples[$ref.split('/').at(-1) ?? '']?.value,
  );

/** Amounts are shown with all decimals of what they are in. */
const comparable = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;

describe('the examples of the document', () => {
  it('are there for every body, every answer and every webhook', () => {
    for (const { what, type, media } of allMedia()) {
      expect([what, type, valuesOf(media).length > 0]).toEqual([what, type, true]);
    }
  });

  it('fit the schemas that they are examples of', () => {
    // Most answers share their schema, or the greater part of it, with others.
    const validators = new Map<string, ValidateFunction>();
    const validatorOf = (schema: object): ValidateFunction => {
      const text = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
      const known = validators.get(text) ?? ajv.compile(JSON.parse(text) as object);
      validators.set(text, known);
      return known;
    };
    for (const { what, media } of allMedia()) {
      const { allOf, ...rest } = media.schema as { allOf?: readonly object[] };
      for (const fits of [rest, ...(allOf ?? [])].map(validatorOf)) {
        for (const value of valuesOf(media)) {
          expect(fits(value), `${what} ${ajv.errorsText(fits.errors)}`).toBe(true);
        }
      }
    }
  });

  it('belong to an operation, and to a status and a body that it has', () => {
    const byId = new Map(operations.map(({ operation }) => [operation.operationId, operation]));
    expect(Object.keys(OPERATION_EXAMPLES).filter((id) => !byId.has(id))).toEqual([]);
    for (const [id, examples] of Object.entries(OPERATION_EXAMPLES)) {
      const { requestBody, responses = {} } = byId.get(id) ?? {};
      for (const { status, request, answer, mediaType = 'application/json' } of Object.values(
        examples,
      )) {
        const content = responses[String(status)]?.content;
        expect([id, content === undefined]).toEqual([id, answer === undefined]);
        if (content !== undefined) expect(Object.keys(content)).toContain(mediaType);
        expect([id, request !== undefined]).toEqual([id, requestBody !== undefined]);
      }
      const answered = new Set(Object.values(examples).map(({ status }) => String(status)));
      const good = Object.keys(responses).filter((status) => status.startsWith('2'));
      expect([id, [...answered].sort()]).toEqual([id, good.sort()]);
    }
  });

  it('answer with what was asked for: the same ids, texts and amounts', () => {
    for (const [id, examples] of Object.entries(OPERATION_EXAMPLES)) {
      for (const [name, { request, answer }] of Object.entries(examples)) {
        const shown = (answer ?? {}) as Record<string, unknown>;
        for (const [field, asked] of Object.entries((request ?? {}) as Record<string, unknown>)) {
          // What is masked, and what is cleared, is not shown as it was asked for.
          if (!(field in shown) || asked === undefined) continue;
          if (field === 'details' || JSON.stringify(asked).includes('null')) continue;
          const what = `${id} ${name} ${field}`;
          if (typeof asked === 'object')
            expect({ [what]: shown[field] }).toMatchObject({ [what]: asked });
          else expect([what, comparable(shown[field])]).toEqual([what, comparable(asked)]);
        }
      }
    }
  });

  it('show sums that are right', () => {
    const seen = new Set<string>();
    JSON.stringify(OPERATION_EXAMPLES, (_key, value: unknown) => {
      const { source, fees, rate, amount } = (value ?? {}) as {
        source?: { amount?: string };
        fees?: { amount: string }[];
        rate?: string | null;
        amount?: string;
      };
      if (source?.amount === undefined || fees === undefined || amount === undefined) return value;
      const paid = Number(source.amount) - fees.reduce((sum, fee) => sum + Number(fee.amount), 0);
      expect(paid * Number(rate ?? 1)).toBeCloseTo(Number(amount), 6);
      seen.add(source.amount);
      return value;
    });
    expect(seen.size).toBeGreaterThan(2);
  });

  it('name every id by the prefix of what it is', () => {
    const prefixes = new Map(
      Object.entries(ID_PREFIXES).map(([name, prefix]) => [`${name}Id`, prefix]),
    );
    const wrong: string[] = [];
    const look = (field: string, value: unknown) => {
      const prefix = prefixes.get(field);
      if (prefix === undefined || typeof value !== 'string' || value.startsWith('$')) return;
      if (!isId(prefix, value)) wrong.push(`${field} ${value}`);
    };
    JSON.stringify(document, (field, value: unknown) => {
      look(field, value);
      return value;
    });
    for (const { operation } of operations) {
      for (const { name, example } of operation.parameters ?? []) look(name, example);
    }
    expect(wrong).toEqual([]);
  });

  it('are there for every parameter that takes more than a listed value', () => {
    for (const { name, operation } of operations) {
      for (const parameter of operation.parameters ?? []) {
        // A cursor is what an answer gave, and never made up.
        const isListed = parameter.schema.enum !== undefined || parameter.schema.$ref !== undefined;
        if (isListed || parameter.name === 'cursor') continue;
        expect([name, parameter.name, parameter.example]).not.toContain(undefined);
      }
    }
  });

  it('show each code that an error may have, and its answer says which they are', () => {
    for (const { what, status, media } of allMedia()) {
      if (status === null || !/^[45]/.test(status)) continue;
      const codes = Object.keys(media.examples ?? {}) as ErrorCode[];
      for (const code of codes) {
        expect([what, code, ERRORS[code].status]).toEqual([what, code, Number(status)]);
      }
    }
    for (const { name, operation } of operations) {
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        if (!/^[45]/.test(status)) continue;
        const codes = Object.keys(content?.['application/json']?.examples ?? {});
        const told = [...description.matchAll(/`([a-z_]+)`/g)].map((match) => match[1]);
        expect([name, status, told]).toEqual([name, status, codes]);
      }
    }
  });
});
