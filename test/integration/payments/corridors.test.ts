import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import type { Corridor } from '../../../src/domain/payments/corridors/corridor.ts';
import type { App } from '../../../src/web/kit/http/app-type.ts';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { addApiKey } from '../../support/test-customer.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

const get = (query: string, token = harness.token, app: App = harness.app) =>
  app.inject({ url: `/api/v1/corridors${query}`, headers: { authorization: `Bearer ${token}` } });

interface Row extends Corridor {
  readonly isDefault: boolean;
}

/** Every row that the filter lets through, page by page. */
async function walk(filter: string, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor = '';
  for (;;) {
    const answer = await get(`?limit=${String(limit)}${filter}${cursor}`);
    expect(answer.statusCode, answer.body).toBe(200);
    const page = answer.json<{ data: Row[]; hasMore: boolean; nextCursor: string | null }>();
    expect(page.data.length).toBeLessThanOrEqual(limit);
    expect(page.hasMore).toBe(page.nextCursor !== null);
    rows.push(...page.data);
    if (page.nextCursor === null) return rows;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

describe('GET /corridors', () => {
  it('answers every corridor once, in one order, whatever the size of a page', async () => {
    const { all } = createCorridorTable();
    const rows = await walk('', 100);
    expect(rows.map(({ isDefault: _isDefault, ...row }) => row)).toEqual(all);
    expect(await walk('', 37)).toEqual(rows);
    const keys = rows.map(({ country, currency }) => `${country}/${currency}`);
    expect(keys).toEqual(keys.toSorted());
  });

  it('answers 20 where no limit is given', async () => {
    expect((await get('')).json().data).toHaveLength(20);
  });

  it('tells what a value rests on, and that no source states it', async () => {
    const rows = await walk('&country=DE&currency=EUR', 100);
    expect(rows.map(({ rail, isDefault }) => [rail, isDefault])).toEqual([
      ['SEPA', true],
      ['SEPA_INSTANT', false],
      ['SWIFT', false],
    ]);
    expect(rows[0]).toMatchObject({
      ...{ country: 'DE', currency: 'EUR', rail: 'SEPA', min: '0.01', max: '999999999.99' },
      ...{ cutOff: null, returnWindowDays: 3, returnsMayBeDeducted: false, status: 'ACTIVE' },
      holidays: { calendar: 'TARGET', closedWeekdays: ['SAT', 'SUN'] },
      sources: {
        min: { kind: 'DEFAULT' },
        max: { kind: 'SOURCE', title: expect.stringContaining('EPC125-05'), date: '2025-10-05' },
        cutOff: null,
      },
    });
    expect(rows[1]).toMatchObject({ cutOff: null, sources: { cutOff: { kind: 'SOURCE' } } });
  });

  it.each([
    ['&country=BR', (row: Row) => row.country === 'BR'],
    ['&currency=JPY', (row: Row) => row.currency === 'JPY'],
    ['&rail=MOBILE_MONEY', (row: Row) => row.rail === 'MOBILE_MONEY'],
    ['&country=GB&currency=GBP', (row: Row) => row.country === 'GB' && row.currency === 'GBP'],
    ['&status=ACTIVE', (row: Row) => row.status === 'ACTIVE'],
  ])('filters by %s', async (filter, isMeant) => {
    const rows = await walk(filter, 100);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows).toEqual((await walk('', 100)).filter(isMeant));
  });

  it('answers an empty list for what no corridor serves', async () => {
    const answer = await get('?country=AQ');
    expect(answer.json()).toEqual({ data: [], hasMore: false, nextCursor: null });
    expect((await get('?status=SUSPENDED')).json().data).toEqual([]);
  });

  it.each([
    ['?limit=0', 'invalid_parameter'],
    ['?limit=101', 'invalid_parameter'],
    ['?country=de', 'unsupported_country'],
    ['?country=XX', 'unsupported_country'],
    ['?currency=eur', 'unsupported_currency'],
    ['?currency=XXQ', 'unsupported_currency'],
    ['?status=OPEN', 'invalid_parameter'],
    ['?rail=sepa', 'invalid_parameter'],
    ['?region=EU', 'invalid_parameter'],
    ['?cursor=ZXZlbnRzOjE', 'invalid_cursor'],
  ])('refuses %s', async (query, error) => {
    const answer = await get(query);
    expect([answer.statusCode, answer.json().error]).toEqual([400, error]);
  });

  it('wants a key that may read corridors', async () => {
    const key = (scopes: string[]) =>
      harness.database.db.system((tx) =>
        addApiKey(tx, harness.vault, { customerId: harness.scope.customerId, scopes }),
      );
    expect((await get('', (await key(['payments:write'])).token)).statusCode).toBe(403);
    expect((await get('', (await key(['corridors:read'])).token)).statusCode).toBe(200);
    expect((await harness.app.inject('/api/v1/corridors')).statusCode).toBe(401);
  });

  it("shows the operator's values, and a suspended corridor as such", async () => {
    const corridors = createCorridorTable({
      overrides: [
        { country: 'DE', currency: 'EUR', rail: 'SEPA', status: 'SUSPENDED', max: '10.00' },
      ],
      restrictions: { countries: ['FR'], regions: [] },
    });
    const app = buildCheckedApp({ ...harness.deps, corridors });
    const rows = (await get('?country=DE&currency=EUR', harness.token, app)).json().data as Row[];
    expect(rows[0]).toMatchObject({
      ...{ rail: 'SEPA', isDefault: false, status: 'SUSPENDED', max: '10.00' },
      sources: { max: { kind: 'OPERATOR' }, status: { kind: 'OPERATOR' } },
    });
    expect(rows[1]).toMatchObject({ rail: 'SEPA_INSTANT', isDefault: true });
    const closed = (await get('?country=FR&status=ACTIVE', harness.token, app)).json();
    expect(closed.data).toEqual([]);
    await app.close();
  });
});
