import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replaceRates } from '../../../src/db/payments/fx-rate-store.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { ENCODERS } from '../../support/wallet-payments.ts';
import {
  documentedOperations,
  type Method,
  type Operation,
} from '../../support/api/documented-operations.ts';
import {
  fixtureFor,
  PATH_FIXTURES,
  STANDING_IDS,
  STANDING_IDS_OF,
} from '../../support/api/id-fixtures.ts';

/** Tells the problems of a request instead of refusing it. */
const ANSWERS_PROBLEMS = new Set(['POST /api/v1/payments/validate']);

/** A payment goes to one of the two, which no field of its schema alone requires. */
const DESTINATIONS = ['bankAccountId', 'walletId'];
const TO_ACCOUNT = { bankAccountId: '', currency: 'EUR' };
const TO_WALLET = { walletId: '', asset: 'USDC' };

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const MISSING = '01k6b7q0e8f1htx9n3r5p7v2ab';

const operations = (await documentedOperations()).filter(({ isPublic }) => !isPublic);
const withPathIds = operations.filter(({ pathIds }) => pathIds.length > 0);
const withBodyIds = operations.filter(({ bodyIds }) => bodyIds.length > 0);
const withQueryIds = operations.filter(({ queryIds }) => queryIds.length > 0);

let harness: PaymentHarness;
let others: readonly (readonly [string, Payer])[];
let storedOfOthersSql: string;
let guarded: readonly { readonly name: string }[];
let hasBothWalls: boolean;

interface Call {
  readonly method?: Method;
  readonly ids?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

let keys = 0;

async function call(operation: Operation, wanted: Call): Promise<LightMyRequestResponse> {
  const method = wanted.method ?? operation.method;
  const path = operation.path.replace(/\{([^}]+)\}/g, (_all, name: string) =>
    encodeURIComponent(wanted.ids?.[name] ?? ''),
  );
  keys += 1;
  const takesKey = operation.headers.includes('idempotency-key');
  const body = wanted.body ?? (await ownBody(operation));
  return harness.app.inject({
    method,
    url: path,
    query: { ...wanted.query },
    headers: {
      authorization: `Bearer ${harness.payer.token}`,
      ...(takesKey && { 'idempotency-key': `walk-${String(keys)}` }),
      ...wanted.headers,
    },
    ...(body !== undefined && method !== 'HEAD' && { payload: body as object }),
  });
}

/** The sample of the document, its ids the caller's own; with the id that it is about, if the body can name it. */
async function ownBody(operation: Operation, about = 'bankAccountId'): Promise<unknown> {
  if (operation.sampleBody === undefined || operation.bodyIds.length === 0) {
    return operation.sampleBody;
  }
  const isPaid = DESTINATIONS.every((name) => operation.bodyIds.includes(name));
  const destination = about === 'walletId' ? TO_WALLET : TO_ACCOUNT;
  // A deposit address says nothing of what is paid: whatever comes.
  const [id] = DESTINATIONS.filter((name) => Object.hasOwn(destination, name));
  const isPayment = operation.bodyIds.includes('quoteId');
  const sampleBody = {
    ...operation.sampleBody,
    ...(isPaid && (isPayment ? destination : { endUserId: '', [id ?? '']: '' })),
  };
  const names = operation.bodyIds.filter((name) => Object.hasOwn(sampleBody, name));
  const own = await Promise.all(
    names.map(async (name) => [name, await standing(name, operation)(harness.payer)] as const),
  );
  return { ...sampleBody, ...Object.fromEntries(own) };
}

/** Makes what an id in a body or a filter names, of an owner. */
function standing(name: string, { name: operation }: Operation) {
  const make = STANDING_IDS_OF[operation]?.[name] ?? STANDING_IDS[name];
  if (make !== undefined) return async (owner: Payer): Promise<string> => make(owner, harness);
  const makeOne = fixtureFor(PATH_FIXTURES, name, operation);
  return (owner: Payer): Promise<string> => makeOne(harness, owner);
}

const kept = new Map<string, Promise<unknown>>();

/** What is made once, and stands through both walks. */
function once<Made>(name: string, make: () => Promise<Made>): Promise<Made> {
  const made = (kept.get(name) as Promise<Made> | undefined) ?? make();
  kept.set(name, made);
  return made;
}

/** Ids of the caller's own for all parameters of the path, each made for those before it. */
async function pathIds({ name, pathIds }: Operation): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const id of pathIds) {
    ids[id] = await fixtureFor(PATH_FIXTURES, id, name)(harness, harness.payer, ids);
  }
  return ids;
}

const CHANGING_HEADERS = ['x-request-id', 'ratelimit', 'ratelimit-policy', 'date'];

/** All of an answer but what is another one at every request. */
function bytesOf(answer: LightMyRequestResponse) {
  const headers = Object.entries(answer.headers).filter(
    ([name]) => !CHANGING_HEADERS.includes(name),
  );
  return {
    status: answer.statusCode,
    headers: Object.fromEntries(headers),
    body: answer.body.replace(/req_[0-9a-z]{26}/, 'req_'),
  };
}

interface Tried {
  readonly whose: string;
  readonly value: string;
  readonly isAnother: boolean;
}

/** Ids that are none of the caller's: those of others, and by WHERE alone those of no one. */
async function idsOfOthers(
  place: string,
  own: string,
  make: (owner: Payer) => Promise<string> | string,
): Promise<Tried[]> {
  const theirs = await once(place, () =>
    Promise.all(
      others.map(async ([whose, owner]) => {
        return { whose, value: await make(owner), isAnother: true };
      }),
    ),
  );
  // What no row has is refused alike with the second wall and without it.
  if (hasBothWalls) return theirs;
  const prefix = own.slice(0, own.indexOf('_'));
  const ofNoOne = [
    ['no customer', `${prefix}_${MISSING}`],
    ['nothing that is an id', 'nonsense'],
    ['another kind', harness.payer.kycCheckId],
    ['the same in capitals', own.toUpperCase()],
    ['SQL', "' OR '1'='1"],
    ['a path', '../end-users'],
  ] as const;
  return [...theirs, ...ofNoOne.map(([whose, value]) => ({ whose, value, isAnother: false }))];
}

/** Reads tables that hold what is of a customer, the use of keys and the log of requests aside. */
async function watchOthers(): Promise<void> {
  const tables = await harness.rows<{ name: string }>(
    `SELECT DISTINCT table_name AS name FROM information_schema.columns c
     JOIN pg_class r ON r.relname = c.table_name AND r.relkind IN ('r', 'p')
     WHERE c.table_schema = 'public' AND c.column_name = 'environment' AND c.table_name NOT IN ('api_keys', 'api_requests')
       AND EXISTS (SELECT FROM information_schema.columns o
                   WHERE o.table_name = c.table_name AND o.column_name = 'customer_id')
     ORDER BY 1`,
  );
  expect(tables.length).toBeGreaterThan(10);
  const scopes = others.map(([, { scope }]) => `('${scope.customerId}', '${scope.environment}')`);
  storedOfOthersSql = tables
    .map(
      ({ name }) =>
        `SELECT '${name} ' || coalesce(md5(string_agg(t::text, ',' ORDER BY t::text)), '') AS sum
         FROM ${name} t
         WHERE (customer_id, environment) IN (${scopes.join(', ')})`,
    )
    .join(' UNION ALL ');
}

/** Everything that is stored of the others, a sum for each table. */
const storedOfOthers = async () =>
  (await harness.rows<{ sum: string }>(storedOfOthersSql)).map(({ sum }) => sum).sort();

/** Row-level security is the second wall. Torn down, every WHERE has to hold by itself. */
async function setSecondWall(verb: 'ENABLE' | 'DISABLE'): Promise<void> {
  expect(guarded.length).toBeGreaterThan(12);
  await harness.rows(
    guarded.map(({ name }) => `ALTER TABLE ${name} ${verb} ROW LEVEL SECURITY`).join(';'),
  );
}

beforeAll(async () => {
  const secrets = { kycCallbackSecrets: { test: SECRET, live: SECRET } };
  harness = await createPaymentHarness({ settings: testSettings(secrets), encoderFor: ENCODERS });
  const customerId = await harness.database.db.system((tx) => addCustomer(tx));
  const asOf = harness.clock.now();
  const leg = { source: 'sample', base: 'USD', quote: 'EUR', rate: '0.9', asOf };
  await harness.database.db.system((tx) => replaceRates(tx, [leg], asOf));
  others = [
    ['another customer', await harness.addPayer({ customerId, environment: 'test' })],
    ['the other environment', await harness.addPayer({ ...harness.scope, environment: 'live' })],
  ];
  await watchOthers();
  guarded = await harness.rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relrowsecurity`,
  );
});
afterAll(() => harness.close());

describe.each(['by both walls', 'by WHERE alone'])('%s', (walls) => {
  beforeAll(async () => {
    hasBothWalls = walls === 'by both walls';
    await setSecondWall(hasBothWalls ? 'ENABLE' : 'DISABLE');
  });

  describe('an id in a path that is not the own', () => {
    it('is tried on every route that takes one', () => {
      expect(withPathIds.length).toBeGreaterThanOrEqual(9);
      expect(new Set(withPathIds.map(({ method }) => method))).toEqual(
        new Set(['GET', 'POST', 'PATCH', 'DELETE']),
      );
    });

    it.each(withPathIds.map((operation) => [operation.name, operation] as const))(
      '%s: the same 404 as for a missing one, byte for byte, and nothing changes',
      async (name, operation) => {
        const fixtures = operation.pathIds.map((id) => {
          const make = fixtureFor(PATH_FIXTURES, id, name);
          return [id, (owner: Payer) => make(harness, owner)] as const;
        });
        const own = await once(`${name} path`, () => pathIds(operation));
        const preconditions = operation.headers.includes('if-match')
          ? [undefined, ...['*', '"1"', '"7"'].map((tag) => ({ 'if-match': tag }))]
          : [undefined];
        const methods: Method[] = operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method];
        for (const [id, make] of fixtures) {
          const tried = await idsOfOthers(`${name} ${id}`, own[id] ?? '', make);
          const before = await storedOfOthers();
          for (const method of methods) {
            const missing = await call(operation, {
              method,
              ids: { ...own, [id]: `x_${MISSING}` },
            });
            expect(missing.statusCode).toBe(404);
            if (method !== 'HEAD') expect(missing.json()).toMatchObject({ error: 'not_found' });
            for (const { whose, value, isAnother } of tried) {
              if (method === 'HEAD' && !isAnother) continue;
              for (const headers of isAnother ? preconditions : [undefined]) {
                const ids = { ...own, [id]: value };
                const answer = await call(operation, { method, ids, headers });
                expect({ whose, ...bytesOf(answer) }).toEqual({ whose, ...bytesOf(missing) });
              }
            }
          }
          expect(await storedOfOthers()).toEqual(before);
        }
        if (!hasBothWalls) return;
        // The same request about one's own is let in: it is the id alone that was refused.
        const answer = await call(operation, { ids: own });
        expect([400, 404], answer.body).not.toContain(answer.statusCode);
      },
    );
  });

  describe('an id in a body that is not the own', () => {
    it('is tried on every route that takes one', () => {
      expect(withBodyIds.length).toBeGreaterThanOrEqual(2);
    });

    it.each(withBodyIds.map((operation) => [operation.name, operation] as const))(
      '%s: the same answer as for a missing one, and nothing changes',
      async (name, operation) => {
        const ids = await once(`${name} body`, () => pathIds(operation));
        for (const id of operation.bodyIds) {
          const sampled = await once(`${name} body with ${id}`, async () => {
            return (await ownBody(operation, id)) as Readonly<Record<string, unknown>>;
          });
          const make = standing(id, operation);
          const own = (sampled[id] as string | undefined) ?? (await make(harness.payer));
          const tried = await idsOfOthers(`${name} body ${id}`, own, make);
          const before = await storedOfOthers();
          const missing = await call(operation, {
            ids,
            body: { ...sampled, [id]: `x_${MISSING}` },
          });
          const problems = [{ path: `/${id}`, code: 'resource_not_found' }];
          const [status, body] = ANSWERS_PROBLEMS.has(name)
            ? [200, { valid: false, problems }]
            : [422, { error: 'resource_not_found', details: problems }];
          expect(missing.statusCode, missing.body).toBe(status);
          expect(missing.json()).toMatchObject(body);
          for (const { whose, value } of tried) {
            const answer = await call(operation, { ids, body: { ...sampled, [id]: value } });
            expect({ whose, ...bytesOf(answer) }).toEqual({ whose, ...bytesOf(missing) });
          }
          expect(await storedOfOthers()).toEqual(before);
        }
        if (!hasBothWalls) return;
        for (const about of ['bankAccountId', 'walletId']) {
          // What the first one did may have been all that could be done there.
          const fresh = { ids: await pathIds(operation), body: await ownBody(operation, about) };
          const answer = await call(operation, fresh);
          expect(answer.statusCode, answer.body).toBeLessThan(300);
        }
      },
    );
  });

  describe('an id in a filter that is not the own', () => {
    it.each(withQueryIds.map((operation) => [operation.name, operation] as const))(
      '%s: the same list as for a missing one',
      async (name, operation) => {
        const ids = await once(`${name} query`, () => pathIds(operation));
        for (const id of operation.queryIds) {
          const make = standing(id, operation);
          const own = await once(`${name} query with ${id}`, async () => {
            await harness.accept();
            return make(harness.payer);
          });
          const missing = await call(operation, { ids, query: { [id]: `x_${MISSING}` } });
          expect(missing.json()).toMatchObject({ data: [] });
          for (const { whose, value } of await idsOfOthers(`${name} query ${id}`, own, make)) {
            if (whose === 'another kind') continue;
            const answer = await call(operation, { ids, query: { [id]: value } });
            expect({ whose, ...bytesOf(answer) }).toEqual({ whose, ...bytesOf(missing) });
          }
          const answer = await call(operation, { ids, query: { [id]: own } });
          expect(answer.json<{ data: unknown[] }>().data.length).toBeGreaterThan(0);
        }
      },
    );
  });
});

describe('a route whose id no fixture makes', () => {
  it('fails by name, so that no route is left out in silence', () => {
    expect(() => fixtureFor(PATH_FIXTURES, 'mandateId', 'GET /mandates/{mandateId}')).toThrow(
      'GET /mandates/{mandateId} takes the id mandateId',
    );
  });
});
