import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiDocument } from './api-document.ts';

/** What is wrong with it on purpose. */
export type PlantedFault =
  | 'FAILS_ON_ODD_TEXT'
  | 'TAKES_MORE'
  | 'LEAVES_A_TRACE'
  | 'UNDOCUMENTED_STATUS'
  | 'NO_REQUEST_ID'
  | 'CANNOT_BE_READ'
  | 'WRONG_SHAPE'
  | 'REPEATS_OTHERWISE'
  | 'TAKES_ANOTHER_BODY'
  | 'USES_THE_KEY_UP';

const NAME = {
  type: 'string',
  minLength: 1,
  maxLength: 20,
  pattern: '^[ -~]*$',
  examples: ['Ada'],
};
const THING = {
  type: 'object',
  required: ['id', 'name', 'version'],
  properties: { id: { type: 'string' }, name: { type: 'string' }, version: { type: 'integer' } },
  additionalProperties: false,
};
const json = (schema: object) => {
  return { content: { 'application/json': { schema } } };
};
const thing = json({ $ref: '#/components/schemas/Thing' });
const refusal = json({ type: 'object', required: ['error'] });
const key = { in: 'header', name: 'idempotency-key', required: true, schema: { type: 'string' } };
const security = [{ apiKey: [] }];

/** Things are made, listed and read. */
export const PLANTED_DOCUMENT: ApiDocument = {
  paths: {
    '/things': {
      post: {
        ...{ operationId: 'createThing', parameters: [key], security },
        requestBody: { required: true, ...json({ $ref: '#/components/schemas/NewThing' }) },
        responses: { '201': thing, '400': refusal, '415': refusal, '422': refusal, '401': refusal },
      },
      get: {
        ...{ operationId: 'listThings', security },
        parameters: [{ in: 'query', name: 'limit', schema: { pattern: '^([1-9][0-9]?|100)$' } }],
        responses: {
          '200': json({
            type: 'object',
            properties: { data: { items: { $ref: '#/components/schemas/Thing' } } },
          }),
          ...{ '400': refusal, '401': refusal },
        },
      },
    },
    '/things/{thingId}': {
      get: {
        ...{ operationId: 'getThing', security },
        parameters: [{ in: 'path', name: 'thingId', required: true, schema: { type: 'string' } }],
        responses: { '200': thing, '400': refusal, '404': refusal, '401': refusal },
      },
    },
  },
  components: {
    schemas: {
      Thing: THING,
      NewThing: {
        ...{ type: 'object', required: ['name'], properties: { name: NAME } },
        additionalProperties: false,
      },
    },
  },
};

export const PLANTED_KEY = 'cw_test_planted';

interface Reply {
  readonly status: number;
  readonly body: object;
  readonly isReplayed?: boolean;
}

/** An API of one resource that keeps to its document but for one fault; null for none. */
export async function startPlantedApi(fault: PlantedFault | null) {
  const things = new Map<string, { id: string; name: string; version: number }>();
  const keys = new Map<string, { text: string; body: object | null }>();
  let made = 0;

  function make(name: string): { id: string; name: string; version: number } {
    made += 1;
    const thing = { id: `thing_${String(made)}`, name, version: 1 };
    things.set(thing.id, thing);
    return thing;
  }

  function create(text: string, ownKey: string | undefined, type: string | undefined): Reply {
    if (type !== 'application/json') return { status: 415, body: { error: 'type' } };
    if (ownKey === undefined || !/^[ -~]{1,255}$/.test(ownKey))
      return { status: 400, body: { error: 'key' } };
    const known = keys.get(ownKey);
    if (
      known !== undefined &&
      (known.text === text || fault === 'TAKES_ANOTHER_BODY') &&
      known.body !== null
    ) {
      const body = fault === 'REPEATS_OTHERWISE' ? make('again') : known.body;
      return { status: 201, body, isReplayed: true };
    }
    if (known !== undefined) return { status: 422, body: { error: 'idempotency_key_mismatch' } };
    const { name, more } = readName(text);
    if (fault === 'FAILS_ON_ODD_TEXT' && typeof name === 'string' && !/^[ -~]*$/.test(name)) {
      return { status: 500, body: { error: 'internal_error' } };
    }
    const isValid = typeof name === 'string' && /^[ -~]{1,20}$/.test(name);
    if (!isValid || (more && fault !== 'TAKES_MORE')) {
      if (fault === 'LEAVES_A_TRACE') make('left over');
      if (fault === 'USES_THE_KEY_UP') keys.set(ownKey, { text, body: null });
      return { status: fault === 'UNDOCUMENTED_STATUS' ? 418 : 400, body: { error: 'body' } };
    }
    const body = make(name);
    keys.set(ownKey, { text, body });
    return { status: 201, body: fault === 'WRONG_SHAPE' ? { ...body, extra: 1 } : body };
  }

  function reply(request: IncomingMessage, body: Buffer): Reply {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://planted');
    if (request.headers.authorization !== `Bearer ${PLANTED_KEY}`) {
      return { status: 401, body: { error: 'key' } };
    }
    const isListing = pathname === '/things' && request.method === 'GET';
    const isOdd = [...searchParams].some(([name]) => !isListing || name !== 'limit');
    const limits = searchParams.getAll('limit');
    const isLimited = limits.length > 1 || !/^([1-9][0-9]?|100)$/.test(limits[0] ?? '20');
    if (isOdd || isLimited) return { status: 400, body: { error: 'query' } };
    if (isListing) return { status: 200, body: { data: [...things.values()].reverse() } };
    if (pathname === '/things') {
      const isText = body.equals(Buffer.from(body.toString('utf8')));
      const { ['idempotency-key']: own, ['content-type']: type } = request.headers;
      return create(isText ? body.toString('utf8') : '', own as string | undefined, type);
    }
    const found = things.get(pathname.replace('/things/', ''));
    if (found === undefined || fault === 'CANNOT_BE_READ')
      return { status: 404, body: { error: 'no' } };
    return { status: 200, body: found };
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body, isReplayed = false } = reply(request, Buffer.concat(chunks));
      const id = { 'x-request-id': 'req_01k6b7q0e8f1htx9n3r5p7v2ab' };
      response
        .writeHead(status, {
          'content-type': 'application/json',
          ...(fault === 'NO_REQUEST_ID' ? {} : id),
          ...(isReplayed ? { 'idempotent-replayed': 'true' } : {}),
        })
        .end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The name in a body, and whether there is anything more, or the same twice. */
function readName(text: string): { name: unknown; more: boolean } {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return NOTHING;
    const { name, ...rest } = body as Record<string, unknown>;
    const isTwice = (text.match(/"name":/g) ?? []).length > 1;
    if (isTwice) return NOTHING;
    return { name, more: Object.keys(rest).length > 0 };
  } catch {
    return NOTHING;
  }
}

const NOTHING = { name: undefined, more: true };
