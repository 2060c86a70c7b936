import { randomUUID } from 'node:crypto';
import { namesIn, resolve, type Operation } from './api-document.ts';
import type { Fact } from './facts.ts';
import { freshObject, freshValue, ONCE, type ValueSource } from './fresh-value.ts';
import type { FuzzRequest } from './fuzz-request.ts';

/** Conditions between members (if, not) are met by trying again. */
const TRIES_MAX = 40;
const KEY = 'idempotency-key';
const COUNT = '^([1-9][0-9]?|100)$';

/** A request that the document allows, and what its body is made of. */
export interface ValidRequest {
  readonly request: FuzzRequest;
  /** Undefined where there is none. */
  readonly json: unknown;
}

/**
 * A request that fits its operation's schemas, about things that are there as far as any are. What else the
 * engine asks for (an approved end-user, a balance) only its answer tells. `about` names by parameter what it must be
 * about.
 */
export function validRequest(
  operation: Operation,
  source: ValueSource,
  fits: (operation: Operation, json: unknown) => boolean,
  about: Fact = {},
): ValidRequest {
  const { facts, choice } = source;
  const inPath = namesIn(operation, 'path');
  const bodySchema = operation.body === null ? {} : resolve(source.document, operation.body.schema);
  const bodyIds = Object.keys(bodySchema.properties ?? {}).filter((name) => name.endsWith('Id'));
  const bound = facts.bind(bodyIds, facts.bind(inPath, about, choice), choice);
  const json = operation.body === null ? undefined : freshBody(operation, source, bound, fits);
  return {
    json,
    request: {
      operationId: operation.id,
      ...{ method: operation.method, path: operation.path },
      pathValues: Object.fromEntries(
        inPath.map((name) => [name, pathValue(operation, source, name, bound)]),
      ),
      isEncoded: false,
      query: freshQuery(operation, source, bound),
      headers: freshHeaders(operation, source, json !== undefined),
      authorization: operation.isPublic ? null : 'OWN',
      body: json === undefined ? null : Buffer.from(JSON.stringify(json)),
      ...{ broken: null, isForbidden: false },
    },
  };
}

function pathValue(operation: Operation, source: ValueSource, name: string, bound: Fact): string {
  const known = bound[name];
  if (known !== undefined) return known;
  const { schema = {}, example } = operation.parameters.find((one) => one.name === name) ?? {};
  if (typeof example === 'string' && source.choice.chance(0.5)) return example;
  return String(freshValue(source, schema, name));
}

function freshBody(
  operation: Operation,
  source: ValueSource,
  bound: Fact,
  fits: (operation: Operation, json: unknown) => boolean,
): unknown {
  const { document, choice } = source;
  const { schema = {}, examples = [], isRequired = true } = operation.body ?? {};
  if (!isRequired && choice.chance(0.2)) return undefined;
  let json: unknown;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const [own] = [schema, ...(schema.anyOf ?? [])]
      .map((one) => resolve(document, one))
      .filter(({ properties }) => properties !== undefined);
    const fresh =
      own === undefined ? freshValue(source, schema, '') : freshObject(source, own, bound);
    // An example is a whole that makes sense; what it is about is replaced by what is there.
    json =
      examples.length > 0 && choice.chance(0.4)
        ? overExample(choice.pick(examples), { ...bound, ...(fresh as Record<string, unknown>) })
        : fresh;
    if (fits(operation, json)) return json;
  }
  return json;
}

const IN_PLACE = /Id$|^(url|address|signature)$/;

function overExample(example: unknown, fresh: Record<string, unknown>): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      if (name === 'items') return [name, fresh[name] ?? value];
      if (ONCE.has(name)) return [name, `fuzz-${randomUUID()}`];
      return [name, IN_PLACE.test(name) ? (fresh[name] ?? value) : value];
    }),
  );
}

function freshQuery(operation: Operation, source: ValueSource, bound: Fact): [string, string][] {
  const { choice } = source;
  const query: [string, string][] = [];
  for (const { in: where, name, required = false, schema = {}, example } of operation.parameters) {
    if (where !== 'query' || (!required && !choice.chance(source.optional / 3))) continue;
    // A cursor comes from a list; those that a broken request sends are made up.
    if (name === 'cursor') continue;
    if (schema.pattern === COUNT) query.push([name, String(1 + choice.below(100))]);
    else if (typeof example === 'string' && choice.chance(0.4)) query.push([name, example]);
    else query.push([name, String(freshValue(source, schema, name, bound))]);
  }
  return query;
}

function freshHeaders(
  operation: Operation,
  { choice }: ValueSource,
  hasBody: boolean,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const [contentType = 'application/json'] = operation.body?.contentTypes ?? [];
  if (hasBody) headers['content-type'] = contentType;
  for (const { in: where, name, required = false } of operation.parameters) {
    if (where === 'header' && name === KEY && (required || choice.chance(0.6))) {
      headers[KEY] = `fuzz-${randomUUID()}`;
    }
  }
  return headers;
}
