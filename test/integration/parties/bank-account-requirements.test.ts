import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  judgeBankAccount,
  type BankAccountOrder,
} from '../../../src/modules/parties/bank-accounts/judge-bank-account.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { addApiKey } from '../../support/test-customer.ts';

interface Requirement {
  readonly country: string;
  readonly currency: string;
  readonly rail: string;
  readonly holderType: string;
  readonly schema: Record<string, unknown> & {
    readonly examples: readonly [Omit<BankAccountOrder, 'endUserId'>];
  };
}

let harness: TestApp;
let endUserId: string;
/** Every row of every country. */
let rows: readonly Requirement[];
beforeAll(async () => {
  harness = await createTestApp();
  const individual = { firstName: 'Ada', lastName: 'Sample' };
  endUserId = (await post('/end-users', { type: 'INDIVIDUAL', individual })).json().id;
  const all = [];
  for (const country of countries) all.push(await rowsOf(`?country=${country}`));
  rows = all.flat();
});
afterAll(() => harness.close());

const get = (query: string, headers: Record<string, string> = harness.headers) =>
  harness.app.inject({ url: `/api/v1/bank-account-requirements${query}`, headers });
const post = (path: string, payload: object) =>
  harness.app.inject({
    ...{ method: 'POST', url: `/api/v1${path}`, headers: harness.headers, payload },
  });
const rowsOf = async (query: string): Promise<Requirement[]> => (await get(query)).json().data;

const corridors = createCorridorTable();
const open = corridors.all.filter((way) => way.status === 'ACTIVE');
const countries = [...new Set(open.map((way) => way.country))];

/** The first of those that are alike. */
function firstOf<Item>(items: readonly Item[], likeness: (item: Item) => string): Item[] {
  const seen = new Map<string, Item>();
  for (const item of items) {
    const key = likeness(item);
    if (!seen.has(key)) seen.set(key, item);
  }
  return [...seen.values()];
}

/** One row for each rail to a country and kind of holder: the currency changes nothing else in a row. */
const eachRail = () =>
  firstOf(rows, ({ country, rail, holderType }) => `${country} ${rail} ${holderType}`);

const OF_ONE = ['pattern', 'minLength', 'maxLength', 'const', 'examples', 'title', 'description'];

/** What a schema says of its properties together: all but the texts that each of them takes. */
const frameOf = (schema: object): string =>
  JSON.stringify(schema, (name, value: unknown) => (OF_ONE.includes(name) ? undefined : value));

/** A property but for what its row names: those that are alike take the same texts. */
function alikeIn({ country, currency, holderType, schema }: Requirement, property: object): string {
  if ('properties' in property) return frameOf(property);
  const named = [country, currency, holderType, schema.examples[0].holderName];
  return named.reduce((text, one) => text.replaceAll(`"${one}"`, '""'), JSON.stringify(property));
}

/** The fields that a form of a row has. */
const fieldsOf = ({ rail, schema }: Requirement): string =>
  [rail, ...[...properties(schema)].map(([path]) => path)].join(' ');

/** Every property at any depth, with the path to it. */
function* properties(schema: unknown, path = ''): Generator<[string, Record<string, unknown>]> {
  const inner = (schema as { properties?: Record<string, Record<string, unknown>> }).properties;
  for (const [name, property] of Object.entries(inner ?? {})) {
    yield [`${path}/${name}`, property];
    yield* properties(property, `${path}/${name}`);
  }
}

describe('GET /bank-account-requirements', () => {
  it('has one row for each open corridor and kind of holder', () => {
    const keys = rows.map((row) => `${row.country} ${row.currency} ${row.rail} ${row.holderType}`);
    const wanted = open.flatMap((way) =>
      ['INDIVIDUAL', 'BUSINESS'].map((who) => `${way.country} ${way.currency} ${way.rail} ${who}`),
    );
    expect(keys.sort()).toEqual(wanted.sort());
  });

  it('every example fits its schema, and is made of the examples of its properties', () => {
    const ajv = new Ajv2020({ strict: true, allErrors: true });
    for (const { schema, ...row } of firstOf(eachRail(), ({ schema }) => frameOf(schema))) {
      const fits = ajv.compile(schema);
      const [example] = schema.examples;
      expect(fits(example), `${JSON.stringify(row)} ${ajv.errorsText(fits.errors)}`).toBe(true);
    }
    const otherwise = eachRail().filter(({ schema }) => {
      const shown = Object.fromEntries(properties(schema));
      return Object.entries(schema.examples[0].details).some(
        ([name, text]) => (shown[`/details/${name}`]?.['examples'] as unknown[])[0] !== text,
      );
    });
    expect(otherwise).toEqual([]);
  });

  it('every example is an account as it is, on the rail of its row', () => {
    for (const { country, currency, rail, holderType, schema } of rows) {
      const [example] = schema.examples;
      expect(example).toMatchObject({ country, currency, rail, holderType });
      const judged = judgeBankAccount(corridors, { endUserId, ...example });
      if (judged.rail !== rail) throw new Error(`${JSON.stringify(example)} is of ${judged.rail}`);
    }
  });

  it('an example of each form is accepted by POST /bank-accounts as it is', async () => {
    for (const { schema, ...row } of firstOf(rows, fieldsOf)) {
      const answer = await post('/bank-accounts', { endUserId, ...schema.examples[0] });
      expect([200, 201], `${JSON.stringify(row)} ${answer.body}`).toContain(answer.statusCode);
      // One that was there already keeps its holder.
      const { holderType: _, ...place } = row;
      expect(answer.json()).toMatchObject(place);
    }
  });

  it('every property can be shown in a form: title, description and a fitting example', () => {
    const ajv = new Ajv2020({ strict: true });
    const shown = eachRail().flatMap((row) =>
      [...properties(row.schema)].map(([path, property]) => {
        return { what: `${row.country} ${path}`, property, alike: alikeIn(row, property) };
      }),
    );
    for (const { what, property } of firstOf(shown, ({ alike }) => alike)) {
      expect(property['title'], what).toEqual(expect.any(String));
      expect(property['description'], what).toEqual(expect.any(String));
      for (const example of property['examples'] as unknown[]) {
        expect(ajv.validate(property, example), what).toBe(true);
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
