import { randomUUID } from 'node:crypto';
import type { ApiDocument, Operation } from './api-document.ts';
import { breakBody } from './break-body.ts';
import type { Choice } from './choice.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { JUDGED_LATER } from './beyond-the-document.ts';
import type { ValidRequest } from './valid-request.ts';

/** What breaking a request may use. */
export interface BreakSource {
  readonly document: ApiDocument;
  readonly choice: Choice;
  /** Whether a body is one that the document allows. */
  readonly fits: (operation: Operation, json: unknown) => boolean;
  /** Own ids by parameter, those of another customer, keys that were used. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  readonly foreignIds: Readonly<Record<string, string>>;
  readonly usedKeys: readonly string[];
  readonly cursors: readonly string[];
}

type Breaker = (
  operation: Operation,
  valid: ValidRequest,
  source: BreakSource,
) => FuzzRequest | null;

/** Changes one thing of a valid request, so that a refusal tells of that alone. */
export function breakRequest(
  operation: Operation,
  valid: ValidRequest,
  source: BreakSource,
): FuzzRequest {
  const { choice } = source;
  // Bodies have the most to say.
  if (valid.json !== undefined && choice.chance(0.6))
    return withBrokenBody(operation, valid, source);
  for (let tries = 0; tries < 2 * BREAKERS.length; tries += 1) {
    const broken = choice.pick(BREAKERS)(operation, valid, source);
    if (broken !== null) return broken;
  }
  return addQuery(valid.request, 'colour', 'red', 'a parameter more', true);
}

function withBrokenBody(
  operation: Operation,
  valid: ValidRequest,
  source: BreakSource,
): FuzzRequest {
  const { document, choice, fits } = source;
  const schema = operation.body?.schema ?? {};
  const { what, bytes, isNoJson } = breakBody(document, schema, valid.json, choice);
  return {
    ...valid.request,
    body: bytes,
    broken: what,
    isForbidden:
      isNoJson ||
      (JUDGED_LATER[operation.id]?.test(what) !== true &&
        !isAllowed(bytes, (json) => fits(operation, json))),
  };
}

function isAllowed(bytes: Buffer, fits: (json: unknown) => boolean): boolean {
  try {
    return fits(JSON.parse(bytes.toString('utf8')));
  } catch {
    return false;
  }
}

const addQuery = (
  request: FuzzRequest,
  name: string,
  value: string,
  broken: string,
  isForbidden: boolean,
): FuzzRequest => {
  return { ...request, query: [...request.query, [name, value]], broken, isForbidden };
};

const withHeader = (
  { request }: ValidRequest,
  name: string,
  value: string,
  isForbidden = false,
): FuzzRequest => {
  const headers = { ...request.headers, [name]: value };
  return { ...request, headers, broken: `header ${name}`, isForbidden };
};

const takes = (operation: Operation, where: string, name: string): boolean =>
  operation.parameters.some((one) => one.in === where && one.name === name);

const pathId = (operation: Operation, choice: Choice): string | null => {
  const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name);
  return names.length === 0 ? null : choice.pick(names);
};

const ODD_IDS = [
  ...['%', '%00', '%ff%fe', '%c3%28', '..%2f..', '%2e%2e', '%20', 'a'.repeat(600), '*', "'", '-1'],
  ...['%F0%9F%92%B8', 'null', 'undefined', '__proto__', 'eu_', 'pay_zzzzzzzzzzzzzzzzzzzzzzzzzz'],
];
const ODD_CURSORS = [
  'garbage',
  'eyJhIjoxfQ',
  'AAAA',
  '\u0000',
  'e30',
  '%',
  'a'.repeat(199),
  'bnVsbA==',
];
const ODD_VALUES = [
  '',
  '-1',
  '0',
  '101',
  'x'.repeat(300),
  '\u0000',
  'é',
  '[]',
  'null',
  '1e2',
  '2026-13-45',
];
const ODD_TEXTS = [
  '',
  ' ',
  '*',
  'W/"1"',
  '"0"',
  '"99999999999999999999"',
  'a'.repeat(4_000),
  '\u00e9\u00ff',
  '1,2',
];

const BREAKERS: readonly Breaker[] = [
  (operation, { request }, { ids, choice }) => {
    const name = pathId(operation, choice);
    const others = Object.entries(ids).filter(([kind]) => kind !== name);
    if (name === null || others.length === 0) return null;
    const [kind, values] = choice.pick(others);
    const pathValues = { ...request.pathValues, [name]: choice.pick(values) };
    return { ...request, pathValues, broken: `the id of another kind, ${kind}`, isForbidden: true };
  },
  (operation, { request }, { foreignIds, choice }) => {
    const name = pathId(operation, choice);
    const foreign = name === null ? undefined : foreignIds[name];
    // What is public belongs to no customer.
    if (name === null || foreign === undefined || operation.isPublic) return null;
    const pathValues = { ...request.pathValues, [name]: foreign };
    return { ...request, pathValues, broken: 'the id of another customer', isForbidden: true };
  },
  (operation, valid, { foreignIds, choice }) => {
    const { json, request } = valid;
    if (typeof json !== 'object' || json === null) return null;
    const names = Object.keys(json).filter((name) => foreignIds[name] !== undefined);
    if (names.length === 0) return null;
    const name = choice.pick(names);
    const body = Buffer.from(JSON.stringify({ ...json, [name]: foreignIds[name] }));
    const broken = `${name} of another customer`;
    const isForbidden = JUDGED_LATER[operation.id]?.test(broken) !== true;
    return { ...request, body, broken, isForbidden };
  },
  (operation, { request }, { choice }) => {
    const name = pathId(operation, choice);
    if (name === null) return null;
    const pathValues = { ...request.pathValues, [name]: choice.pick(ODD_IDS) };
    return { ...request, pathValues, isEncoded: true, broken: 'an odd path', isForbidden: true };
  },
  (_operation, { request }, { choice }) =>
    addQuery(
      request,
      choice.pick(['colour', '__proto__', 'limit[]', 'Limit']),
      'red',
      'a parameter more',
      true,
    ),
  (operation, { request }, { choice }) => {
    const inQuery = operation.parameters.filter((one) => one.in === 'query');
    if (inQuery.length === 0) return null;
    const { name } = choice.pick(inQuery);
    const rest = request.query.filter(([one]) => one !== name);
    const query = [...rest, [name, choice.pick(ODD_VALUES)] as const];
    return { ...request, query, broken: `an odd value of ${name}`, isForbidden: false };
  },
  (operation, { request }, { choice }) => {
    const inQuery = operation.parameters.filter((one) => one.in === 'query');
    if (inQuery.length === 0) return null;
    const { name } = choice.pick(inQuery);
    const query = [...request.query, [name, '1'] as const, [name, '2'] as const];
    return { ...request, query, broken: `${name} is there twice`, isForbidden: true };
  },
  (operation, { request }, { choice, cursors }) => {
    if (!takes(operation, 'query', 'cursor')) return null;
    const cut = cursors.flatMap((one) => [one, one.slice(0, -3), `${one}A`]);
    return addQuery(
      request,
      'cursor',
      choice.pick([...ODD_CURSORS, ...cut]),
      'an odd cursor',
      false,
    );
  },
  (operation, valid, { choice }) =>
    takes(operation, 'header', 'if-match')
      ? withHeader(valid, 'if-match', choice.pick(ODD_TEXTS))
      : null,
  (operation, valid, { choice }) =>
    takes(operation, 'header', 'idempotency-key')
      ? withHeader(
          valid,
          'idempotency-key',
          choice.pick(['', 'a'.repeat(256), '\u00e9', 'a\tb']),
          true,
        )
      : null,
  (operation, { request }) => {
    const key = operation.parameters.find((one) => one.name === 'idempotency-key');
    if (key?.required !== true) return null;
    const { ['idempotency-key']: _key, ...headers } = request.headers;
    return { ...request, headers, broken: 'no Idempotency-Key', isForbidden: true };
  },
  (operation, valid, { choice, usedKeys }) =>
    takes(operation, 'header', 'idempotency-key') && usedKeys.length > 0
      ? withHeader(valid, 'idempotency-key', choice.pick(usedKeys), false)
      : null,
  (_operation, valid, { choice }) =>
    valid.json === undefined
      ? null
      : withHeader(
          valid,
          'content-type',
          choice.pick([
            'text/plain',
            'application/xml',
            'application/json; charset=utf-16',
            'x',
            'multipart/form-data',
          ]),
        ),
  (_operation, { request, json }) => {
    if (json === undefined) return null;
    const { ['content-type']: _type, ...headers } = request.headers;
    return { ...request, headers, broken: 'no content type', isForbidden: true };
  },
  (_operation, valid, { choice }) =>
    withHeader(
      valid,
      choice.pick(['accept', 'x-forwarded-for', 'x-request-id', 'range', 'origin']),
      choice.pick(ODD_TEXTS),
    ),
  ({ isPublic }, { request }, { choice }) => {
    if (isPublic) return null;
    const text = choice.pick([
      '',
      'Bearer',
      'Basic eDp5',
      'Bearer cw_test_x',
      `Bearer cw_live_${randomUUID()}`,
    ]);
    return { ...request, authorization: { text }, broken: 'no key that holds', isForbidden: true };
  },
  ({ isPublic }, { request }) =>
    isPublic ? null : { ...request, authorization: null, broken: 'no key', isForbidden: true },
];
