import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCorridorTable } from '../../src/domain/corridors/corridor-table.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { addApiKey } from '../support/test-customer.ts';

interface Requirement {
  readonly country: string;
  readonly currency: string;
  readonly rail: string;
  readonly holderType: string;
  readonly schema: Record<string, unknown> & { readonly examples: readonly object[] };
}

let harness: TestApp;
let endUserId: string;
beforeAll(async () => {
  harness = await createTestApp();
  const individual = { firstName: 'Ada', lastName: 'Sample' };
  endUserId = (await post('/end-users', { type: 'INDIVIDUAL', individual })).json().id;
});
afterAll(() => harness.close());

const get = (query: string, headers: Record<string, string> = harness.headers) =>
  harness.app.inject({ url: `/api/v1/bank-account-requirements${query}`, headers });
const post = (path: string, payload: object) =>
  harness.app.inject({
    ...{ method: 'POST', url: `/api/v1${path}`, headers: harness.headers, payload },
  });
const rowsOf = async (query: string): Promise<Requirement[]> => (await get(query)).json().data;

const open = createCorridorTable().all.filter((way) => way.status === 'ACTIVE');
const countries = [...new Set(open.map((way) => way.country))];

/** One row for each rail to a country and kind of holder: the currency changes nothing else in a row. */
async function eachRail(country: string): Promise<Requirement[]> {
  const seen = new Set<string>();
  return (await rowsOf(`?country=${country}`)).filter(({ rail, holderType }) => {
    const isNew = !seen.has(`${rail} ${holderType}`);
    seen.add(`${rail} ${holderType}`);
    return isNew;
  });
}

/** Every property at any depth, with the path to it. */
function* properties(schema: unknown, path = ''): Generator<[string, Record<string, unknown>]> {
  const inner = (schema as { properties?: Record<string, Record<string, unknown>> }).properties;
  for (const [name, property] of Object.entries(inner ?? {})) {
    yield [`${path}/${name}`, property];
    yield* properties(property, `${path}/${name}`);
  }
}

describe('GET /bank-account-requirements', () => {
  it('has one row for each open corridor and kind of holder', async () => {
    const rows = (await Promise.all(countries.map((one) => rowsOf(`?country=${one}`)))).flat();
    const keys = rows.map((row) => `${row.country} ${row.currency} ${row.rail} ${row.holderType}`);
    const wanted = open.flatMap((way) =>
      ['INDIVIDUAL', 'BUSINESS'].map((who) => `${way.country} ${way.currency} ${way.rail} ${who}`),
    );
    expect(keys.sort()).toEqual(wanted.sort());
  });

  it('every example fits its schema and is accepted by POST /bank-accounts as it is', async () => {
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    for (const country of countries) {
      for (const { schema, ...row } of await eachRail(country)) {
        const what = JSON.stringify(row);
        const [example] = schema.examples;
        const fits = ajv.compile(schema);
        expect(fits(example), `${what} ${ajv.errorsText(fits.errors)}`).toBe(true);
        const answer = await post('/bank-accounts', { endUserId, ...example });
        expect([200, 201], `${what} ${answer.body}`).toContain(answer.statusCode);
        expect(answer.json()).toMatchObject({ country, currency: row.currency, rail: row.rail });
      }
    }
  });

  it('every property can be shown in a form: title, description and a fitting example', async () => {
    const ajv = new Ajv2020({ strict: true });
    const seen = new Set<string>();
    for (const country of countries) {
      for (const { schema } of await eachRail(country)) {
        for (const [path, property] of properties(schema)) {
          const text = JSON.stringify(property);
          if (seen.has(text)) continue;
          seen.add(text);
          const what = `${country} ${path}`;
          expect(property['title'], what).toEqual(expect.any(String));
          expect(property['description'], what).toEqual(expect.any(String));
          for (const example of property['examples'] as unknown[]) {
            expect(ajv.validate(property, example), what).toBe(true);
          }
        }
      }
    }
  });

  it('a schema refuses what the API refuses: unknown fields, missing ones, wrong forms', async () => {
    const [row] = await rowsOf('?country=DE&currency=EUR&rail=SEPA&holderType=INDIVIDUAL');
    const fits = new Ajv2020({ strict: true }).compile(row?.schema ?? false);
    const right = row?.schema.examples[0] as Record<string, unknown>;
    expect(fits(right)).toBe(true);
    for (const wrong of [
      { ...right, endUserId },
      { ...right, country: 'FR' },
      { ...right, holderName: undefined },
      { ...right, details: {} },
      { ...right, details: { iban: 'FR1420041010050500013M02606' } },
      { ...right, details: { iban: 'DE8937040044053201300' } },
      { ...right, details: { iban: 'DE89370400440532013000', pin: '1' } },
    ]) {
      expect(fits(JSON.parse(JSON.stringify(wrong)) as object), JSON.stringify(wrong)).toBe(false);
    }
    const printed = { ...right, details: { iban: 'de89 3704 0044 0532 0130 00' } };
    expect(fits(printed)).toBe(true);
  });

  it('narrows by currency, rail and kind of holder', async () => {
    const one = await rowsOf('?country=DE&currency=EUR&rail=SEPA&holderType=BUSINESS');
    expect(one).toMatchObject([
      { country: 'DE', currency: 'EUR', rail: 'SEPA', holderType: 'BUSINESS' },
    ]);
    expect(await rowsOf('?country=DE&currency=EUR&rail=SEPA')).toHaveLength(2);
  });

  it('is empty where no corridor leads', async () => {
    for (const query of ['?country=AQ', '?country=DE&currency=JPY', '?country=DE&rail=PIX']) {
      const answer = await get(query);
      expect([answer.statusCode, answer.json()]).toEqual([
        200,
        { data: [], hasMore: false, nextCursor: null },
      ]);
    }
  });

  it.each([
    ['?country=XX', 'unsupported_country'],
    ['?country=germany', 'unsupported_country'],
    ['?country=DE&currency=XXQ', 'unsupported_currency'],
    ['?country=DE&currency=eur', 'unsupported_currency'],
    ['?country=DE&rail=PIGEON', 'invalid_parameter'],
    ['?country=DE&holderType=ALIEN', 'invalid_parameter'],
    ['?country=DE&colour=blue', 'invalid_parameter'],
    ['?currency=EUR', 'invalid_parameter'],
  ])('%s: 400 %s', async (query, error) => {
    const answer = await get(query);
    expect([answer.statusCode, answer.json().error]).toEqual([400, error]);
  });

  it('wants bank-accounts:read', async () => {
    const { customerId } = harness.scope;
    const key = await harness.database.db.system((tx) =>
      addApiKey(tx, harness.vault, { customerId, scopes: ['payments:read'] }),
    );
    const answer = await get('?country=DE', { authorization: `Bearer ${key.token}` });
    expect([answer.statusCode, answer.json().error]).toEqual([403, 'insufficient_scope']);
  });
});
