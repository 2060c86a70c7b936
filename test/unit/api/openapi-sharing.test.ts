import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../../../src/api/app.ts';
import { documentDeps } from '../../../src/api/openapi/document-deps.ts';
import { openApiOf } from '../../../src/api/openapi/openapi.ts';
import { shareParts } from '../../../src/api/openapi/shared-parts.ts';
import type { App } from '../../../src/web/kit/http/app-type.ts';
import { dereference } from '../../support/api/dereference.ts';

let app: App;
beforeAll(async () => {
  app = buildApp(documentDeps());
  await app.ready();
});
afterAll(() => app.close());

interface Shared {
  readonly paths: Record<string, unknown>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

describe('the published document', () => {
  it('sharing changes nothing of the contract', () => {
    const whole = app.swagger() as unknown as Shared;
    const published = openApiOf(app) as unknown as Shared;
    expect(JSON.stringify(published).length).toBeLessThan(JSON.stringify(whole).length);
    const resolved = dereference(published);
    const expected = dereference(whole);
    expect(resolved.paths).toEqual(expected.paths);
    const { responses: _, parameters, ...others } = resolved.components;
    expect({ ...others, parameters }).toMatchObject(expected.components);
    expect({ ...published, paths: null, components: null }).toEqual({
      ...{ ...whole, paths: null, components: null },
    });
  });

  it('has each error answer and each parameter once', () => {
    const { paths } = openApiOf(app) as unknown as {
      paths: Record<string, Record<string, { parameters?: object[]; responses: object }>>;
    };
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const errors = operations.flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, one]) => (/^[45]/.test(status) ? [one] : [])),
    );
    for (const parts of [errors, operations.flatMap(({ parameters = [] }) => parameters)]) {
      const inline = parts.filter((one) => !('$ref' in one)).map((one) => JSON.stringify(one));
      expect(new Set(inline).size).toBe(inline.length);
    }
  });
});

describe('objects of the published document', () => {
  it('are open in answers and webhooks, and closed in requests', () => {
    const { paths, webhooks } = dereference(openApiOf(app)) as unknown as {
      paths: Record<string, Record<string, { requestBody?: object; responses: object }>>;
      webhooks: object;
    };
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    const responses = operations.map((one) => one.responses);
    // What a request and an answer share is as the request has it.
    const shared = ['Address', 'Business', 'BusinessPerson', 'Person', 'TaxId'];
    expect([...new Set(closedIn(responses))].sort()).toEqual(shared);
    expect(closedIn(webhooks)).toEqual([]);
    expect(closedIn(operations.map((one) => one.requestBody)).length).toBeGreaterThan(20);
  });

  /** The titles of the objects that may have no more than they name. */
  function closedIn(value: unknown): string[] {
    if (typeof value !== 'object' || value === null) return [];
    const { title = '', additionalProperties } = value as Record<string, unknown>;
    const own = additionalProperties === false ? [String(title)] : [];
    // Examples may hold a schema that is data.
    const below = Object.entries(value).filter(([name]) => name !== 'examples');
    return [...own, ...below.flatMap(([, item]) => closedIn(item))];
  }
});

describe('parts that are shared', () => {
  const error = (...codes: string[]) => ({
    description: codes.join(),
    content: {
      'application/json': {
        schema: { allOf: [{}, { properties: { error: { enum: codes } } }] },
      },
    },
  });
  const id = { name: 'thingId', in: 'path' };

  it('are named by their codes and by what they are, and stay where they occur once', () => {
    const get = {
      parameters: [id, { name: 'thingId', in: 'query' }],
      responses: { 401: error('missing_api_key', 'invalid_api_key'), 429: error('rate_limited') },
    };
    const post = { ...get, responses: { ...get.responses, 409: error('limit_reached') } };
    const given = { paths: { '/things': { get, post } } };
    const before = JSON.stringify(given);
    const { paths, components } = shareParts(given) as unknown as Shared;
    expect(JSON.stringify(given)).toBe(before);
    expect(Object.keys(components['responses'] ?? {})).toEqual(['RateLimited', 'Unauthorized']);
    expect(Object.keys(components['parameters'] ?? {})).toEqual(['ThingId', 'ThingIdFilter']);
    expect(paths['/things']).toMatchObject({
      post: {
        parameters: [{ $ref: '#/components/parameters/ThingId' }, {}],
        responses: {
          401: { $ref: '#/components/responses/Unauthorized' },
          409: { description: 'limit_reached' },
        },
      },
    });
  });

  it('are refused where two have one name', () => {
    const other = { ...id, description: 'another' };
    const operation = (parameter: object) => ({ parameters: [parameter], responses: {} });
    const paths = {
      '/a': { get: operation(id), post: operation(id) },
      '/b': { get: operation(other), post: operation(other) },
    };
    expect(() => shareParts({ paths })).toThrow('two of components.parameters are named ThingId');
  });
});
