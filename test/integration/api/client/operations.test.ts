import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Causeway, OperationId } from 'causeway/client';
import { describe, expect, it } from 'vitest';
import type { ApiDocument } from '../../../../src/cli/generators/client-types/api-document.ts';
import { partnerOperations } from '../../../../src/cli/generators/client-types/api-document.ts';
import { answer, besideApi } from '../../../support/api/client/scripted-api.ts';
import { CALLS } from '../../../support/api/client/every-call.ts';

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8'),
) as ApiDocument;
const operations = partnerOperations(document);

const EMPTY_PAGE = { data: [], hasMore: false, nextCursor: null };

/** Every method of every resource, as `payments.create`. */
function methodsOf(causeway: Causeway): string[] {
  return Object.entries(causeway).flatMap(([name, resource]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(resource))
      .filter((method) => method !== 'constructor')
      .map((method) => `${name}.${method}`),
  );
}

describe('the client', () => {
  it('has one method for every operation of the document, and no other', async () => {
    await besideApi([answer(200)], async ({ causeway }) => {
      expect(Object.keys(CALLS).sort()).toEqual(operations.map((one) => one.operationId).sort());
      const called = Object.values(CALLS).map(({ method }) => method);
      expect(called.sort()).toEqual(methodsOf(causeway).sort());
    });
  });

  for (const operation of operations) {
    it(`sends ${operation.operationId} as the document says`, async () => {
      const { call, method: name } = CALLS[operation.operationId as OperationId];
      await besideApi([answer(200, EMPTY_PAGE)], async ({ causeway, received }) => {
        const [resource = '', method = ''] = name.split('.');
        const owner = causeway[resource as keyof Causeway] as unknown as Record<string, unknown>;
        const original = owner[method] as (...args: unknown[]) => unknown;
        let calls = 0;
        Object.defineProperty(owner, method, {
          value: (...args: unknown[]) => {
            calls += 1;
            return original.apply(owner, args);
          },
        });
        await call(causeway);
        // The call of the table goes through the method that it names.
        expect(calls).toBe(1);
        const [request, ...others] = received;
        expect(others).toEqual([]);

        const parameters = operation.parameters ?? [];
        const inPath = parameters.filter((one) => one.in === 'path').map((one) => one.name);
        const path = inPath.reduce(
          (text, one) => text.replace(`{${one}}`, encodeURIComponent(`of ${one}/`)),
          operation.path,
        );
        const url = new URL(request?.url ?? '', 'http://sample.invalid');
        expect([request?.method, url.pathname]).toEqual([operation.method, path]);
        const inQuery = parameters.filter((one) => one.in === 'query').map((one) => one.name);
        expect([...url.searchParams.keys()].sort()).toEqual(inQuery.sort());

        const takes = (header: string) => parameters.some((one) => one.name === header);
        expect(request?.headers['idempotency-key'] !== undefined).toBe(takes('idempotency-key'));
        expect(request?.headers['if-match']).toBe(takes('if-match') ? '"7"' : undefined);
        expect(request?.headers.authorization !== undefined).toBe(operation.security?.length !== 0);
        const types = Object.keys(operation.requestBody?.content ?? {});
        if (types.length === 0) expect(request?.body).toBe('');
        else expect(types).toContain(request?.headers['content-type']);
      });
    });
  }

  it('knows of no amount in an answer that is a binary number', () => {
    const numbers = [...JSON.stringify(answerSchemas()).matchAll(/"type":"number"/g)];
    expect(numbers).toEqual([]);
  });
});

/** All that an answer can hold: the answers, and every named schema that they refer to. */
function answerSchemas(): unknown[] {
  const found = new Map<string, unknown>();
  const follow = (schema: unknown) => {
    for (const [, name = ''] of JSON.stringify(schema).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      if (found.has(name)) continue;
      found.set(name, document.components.schemas[name]);
      follow(document.components.schemas[name]);
    }
  };
  const own = operations.map(({ responses }) => responses);
  follow(own);
  return [own, ...found.values()];
}
