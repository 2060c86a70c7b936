import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../../src/domain/errors/registry.ts';
import { PERMISSIONS } from '../../../src/domain/customers/keys/permissions.ts';
import { EVENT_TYPES } from '../../../src/domain/webhooks/event-types.ts';
import { buildApp } from '../../../src/api/app.ts';
import { documentDeps } from '../../../src/api/openapi/document-deps.ts';
import type { App } from '../../../src/web/kit/http/app-type.ts';
import { renderOpenApi } from '../../../src/api/openapi/openapi.ts';
import { inlineParts } from '../../support/api/inline-parts.ts';
import { isInCommonSubset } from '../../support/common-pattern.ts';
import { createTestApp } from '../../support/test-app.ts';

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: unknown[];
  'x-required-scope'?: string;
  parameters?: { in: string; name: string; schema?: object }[];
  requestBody?: object;
  responses: Record<
    string,
    { description?: string; headers?: object; content?: Record<string, { schema: unknown }> }
  >;
}
interface NewPaymentSchema {
  properties: { amount: { anyOf: object[] } };
}
interface Document {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: {
    schemas: Record<string, unknown>;
    headers: Record<string, unknown>;
    parameters: Record<string, { name: string }>;
    securitySchemes: Record<string, object>;
  };
}

let app: App;
let published: Document;
/** With its shared responses and parameters in place. */
let document: Document;
let operations: { name: string; path: string; operation: Operation }[];

beforeAll(async () => {
  app = buildApp(documentDeps());
  await app.ready();
  published = JSON.parse(renderOpenApi(app)) as Document;
  document = inlineParts(published);
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      return { name: `${method.toUpperCase()} ${path}`, path, operation };
    }),
  );
});
afterAll(() => app.close());

describe('the OpenAPI document', () => {
  it('is 3.1, public, and the same bytes twice', async () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.components.securitySchemes).toMatchObject({
      apiKey: { type: 'http', scheme: 'bearer' },
    });
    const other = buildApp(documentDeps());
    await other.ready();
    expect(renderOpenApi(other)).toBe(renderOpenApi(app));
    const answer = await other.inject({ url: '/api/v1/openapi.json' });
    expect(answer.json()).toEqual(published);
    await other.close();
  });

  it('names every operation once, with summary and tags', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, operation } of operations) {
      expect([name, operation.summary, operation.tags]).not.toContain(undefined);
    }
  });

  it('documents every status that the frame may answer with', () => {
    for (const { name, operation } of operations) {
      const isPublic = operation.security?.length === 0;
      const expected = [
        ...(isPublic ? ['500', '503'] : ['400', '401', '403', '404', '429', '500', '503']),
        ...(operation.requestBody === undefined ? [] : ['400', '413', '415']),
      ];
      for (const status of expected) {
        expect([name, Object.keys(operation.responses)]).toEqual([
          name,
          expect.arrayContaining([status]),
        ]);
      }
    }
  });

  it('gives every error the codes of the registry that have its status', () => {
    for (const { name, operation } of operations) {
      for (const [status, answer] of Object.entries(operation.responses)) {
        if (!/^[45]/.test(status)) continue;
        const schema = answer.content?.['application/json']?.schema as
          | { allOf?: [unknown, { properties: { error: { enum: (keyof typeof ERRORS)[] } } }] }
          | undefined;
        const codes = schema?.allOf?.[1].properties.error.enum ?? [];
        expect([name, status, codes.length > 0]).toEqual([name, status, true]);
        for (const code of codes)
          expect([name, ERRORS[code].status]).toEqual([name, Number(status)]);
      }
    }
  });

  it('describes every tag that an operation has, and no other', () => {
    const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []));
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
    for (const { description } of document.tags) expect(description).toMatch(/\.$/);
  });

  it('tells generators that an amount given as a number needs more than 32 bits', () => {
    const { amount } = (document.components.schemas['NewPayment'] as NewPaymentSchema).properties;
    expect(amount.anyOf).toContainEqual({ type: 'number', format: 'double' });
  });

  it('names the headers of good answers, and the wait of a 429, a 503 and a key in progress', () => {
    for (const { name, operation } of operations) {
      const takesKey = (operation.parameters ?? []).some((one) => one.name === 'idempotency-key');
      for (const [status, { headers, content }] of Object.entries(operation.responses)) {
        const versioned = isVersioned(content?.['application/json']?.schema) ? ['ETag'] : [];
        const good = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', ...versioned];
        const replayed = takesKey ? ['Idempotent-Replayed'] : [];
        const isInProgress = JSON.stringify(content ?? {}).includes(
          '"idempotency_key_in_progress"',
        );
        const waits = status === '429' || status === '503' || (status === '409' && isInProgress);
        const refused = waits ? ['Retry-After'] : [];
        const expected = status.startsWith('2') ? [...good, ...replayed] : refused;
        expect([name, status, Object.keys(headers ?? {})]).toEqual([name, status, expected]);
      }
    }
  });

  it('demands no wait of a 409: only a key in progress has one', () => {
    const { headers } = document.paths['/api/v1/payments']?.['post']?.responses['409'] ?? {};
    const { $ref: reference } = (headers as Record<string, { $ref: string }>)['Retry-After'] ?? {};
    const name = reference?.split('/').at(-1) ?? '';
    expect(document.components.headers[name]).toMatchObject({ required: false });
    expect(document.components.headers['Retry-After']).toMatchObject({ required: true });
  });

  /** Whether a schema, or the one that it refers to, is of a resource with a version. */
  function isVersioned(schema: unknown): boolean {
    const { $ref: reference } = (schema ?? {}) as { $ref?: string };
    const name = reference?.replace('#/components/schemas/', '') ?? '';
    const { properties = {} } = (document.components.schemas[name] ?? schema ?? {}) as {
      properties?: object;
    };
    return 'id' in properties && 'version' in properties;
  }

  it('names the scope that a key needs, for every operation but the public', () => {
    const needed = operations.map(({ name, operation }) => {
      const scope = operation['x-required-scope'];
      const named = (operation.security ?? [])[0] as { apiKey?: string[] } | undefined;
      expect([name, named?.apiKey ?? []]).toEqual([name, scope === undefined ? [] : [scope]]);
      return scope;
    });
    const known: readonly string[] = PERMISSIONS;
    const used = needed.filter((scope) => scope !== undefined);
    expect(used.length).toBeGreaterThan(15);
    for (const scope of used) expect(known).toContain(scope);
    const unscoped = operations.filter(({ operation }) => !('x-required-scope' in operation));
    const behindKey = unscoped.filter(({ operation }) => operation.security?.length !== 0);
    expect(behindKey.map(({ name }) => name)).toEqual([
      'GET /api/v1/errors',
      'GET /api/v1/failure-codes',
    ]);
  });

  it('takes a merge patch as what it is, and as JSON', () => {
    const patches = operations.filter(({ name }) => name.startsWith('PATCH '));
    expect(patches.length).toBeGreaterThan(0);
    for (const { name, operation } of patches) {
      const { content } = operation.requestBody as { content: object };
      const types = ['application/merge-patch+json', 'application/json'];
      expect([name, Object.keys(content)]).toEqual([name, types]);
    }
  });

  it('names no header that a real answer lacks', async () => {
    const silent = () => Promise.resolve('SILENCE' as const);
    const bankControl = { advance: silent, arm: silent, listArmed: () => Promise.resolve([]) };
    const harness = await createTestApp({ bankControl });
    const lists = operations.filter(({ name }) => /^GET [^{]+$/.test(name));
    expect(lists.length).toBeGreaterThan(8);
    for (const { name, path, operation } of lists) {
      // The lists that cannot be asked for as a whole.
      const queries = { requirements: '?country=DE', statements: '?currency=EUR' };
      const query = queries[path.split('-').at(-1) as keyof typeof queries] ?? '';
      const answer = await harness.app.inject({ url: path + query, headers: harness.headers });
      const status = String(answer.statusCode);
      const named = Object.keys(operation.responses[status]?.headers ?? {});
      const missing = named.filter((header) => answer.headers[header.toLowerCase()] === undefined);
      expect([name, status, missing]).toEqual([name, expect.stringMatching(/^(200|503)$/), []]);
    }
    await harness.close();
  });

  it('describes a webhook for every type of event, each with the three headers', () => {
    expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES]);
    const { parameters } = document.components;
    for (const { post } of Object.values(document.webhooks)) {
      const references = (post.parameters ?? []) as unknown as { $ref: string }[];
      const names = references.map(({ $ref }) => parameters[$ref.split('/').at(-1) ?? '']?.name);
      expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
    }
    const ids = Object.values(document.webhooks).map(({ post }) => post.operationId);
    expect(new Set(ids).size).toBe(EVENT_TYPES.length);
  });

  it('has only patterns that RE2, PCRE, Java, .NET and Python compile as ECMA-262 does', () => {
    const patterns: string[] = [];
    JSON.stringify(document, (name, value: unknown) => {
      if (name === 'pattern' && typeof value === 'string') patterns.push(value);
      if (name === 'patternProperties') patterns.push(...Object.keys(value as object));
      return value;
    });
    expect(patterns.length).toBeGreaterThan(100);
    expect(patterns.filter((pattern) => !isInCommonSubset(pattern))).toEqual([]);
  });

  it('gives every list of values a type', () => {
    const untyped: object[] = [];
    JSON.stringify(document, (_name, value: unknown) => {
      const isList = typeof value === 'object' && value !== null && 'enum' in value;
      if (isList && Array.isArray(value.enum) && !('type' in value)) untyped.push(value);
      return value;
    });
    expect(untyped).toEqual([]);
  });

  it('declares every parameter of a path, and no reference leads nowhere', () => {
    for (const { name, path, operation } of operations) {
      const wanted = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
      const declared = (operation.parameters ?? []).filter(({ in: where }) => where === 'path');
      expect([name, declared.map((parameter) => parameter.name).sort()]).toEqual([
        name,
        wanted.sort(),
      ]);
    }
    const references = [...JSON.stringify(published).matchAll(/"\$ref":"([^"]+)"/g)];
    for (const [, reference] of references) {
      const path = reference?.replace('#/components/', '').split('/') ?? [];
      expect(document.components).toHaveProperty(path);
    }
  });
});
