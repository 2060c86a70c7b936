import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { createPaymentHarness, IBAN, type PaymentHarness } from '../../support/payment-harness.ts';

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
});
afterAll(() => harness.close());

const post = (url: string, body: object) => harness.ask({ method: 'POST', url, body });
const account = (more: object = {}) => ({
  endUserId: harness.payer.endUserId,
  ...{ country: 'DE', currency: 'EUR', details: { iban: IBAN } },
  ...{ holderName: 'Ada Sample', holderType: 'INDIVIDUAL', ...more },
});
const address = (more: object = {}) => ({
  ...{ line1: '1 Sample Street', city: 'Sampleton', country: 'DE', ...more },
});
const swift = (more: object = {}) =>
  account({
    ...{ country: 'RS', currency: 'USD', rail: 'SWIFT', holderAddress: address({ country: 'RS' }) },
    ...more,
  });
const person = (more: object = {}) => ({
  type: 'INDIVIDUAL',
  individual: { firstName: 'Ada', lastName: 'Sample' },
  ...more,
});
const business = (more: object) => ({
  type: 'BUSINESS',
  business: {
    legalName: 'Sample GmbH',
    persons: [{ firstName: 'Ada', lastName: 'Sample', nationality: 'IR' }],
    ...more,
  },
});

interface Refused {
  readonly error: string;
  readonly details: readonly { readonly path: string; readonly code: string }[];
}

async function refusal(url: string, body: object): Promise<readonly [number, string, string[]]> {
  const answer = await post(url, body);
  const { error, details } = answer.json<Refused>();
  return [answer.statusCode, error, details.map(({ path }) => path)];
}

const RESTRICTED = 'country_restricted';

describe('a bank account in a restricted place is refused', () => {
  it.each<[string, () => object, string[]]>([
    ['country', () => account({ country: 'CU', currency: 'USD', details: {} }), ['/country']],
    ['country, with a rail', () => account({ country: 'KP', rail: 'SWIFT' }), ['/country']],
    [
      "holder's country",
      () => account({ holderAddress: address({ country: 'IR' }) }),
      ['/holderAddress/country'],
    ],
    [
      "holder's region by its code",
      () => account({ holderAddress: address({ country: 'UA', region: 'UA-43' }) }),
      ['/holderAddress/region'],
    ],
    [
      "holder's region by its name",
      () => account({ holderAddress: address({ country: 'UA', region: 'Respublika Krym' }) }),
      ['/holderAddress/region'],
    ],
    [
      "holder's town in the line of the street",
      () => account({ holderAddress: address({ country: 'UA', line1: 'Kirova 1, Yalta' }) }),
      ['/holderAddress/line1'],
    ],
    [
      "holder's postal code",
      () => account({ holderAddress: address({ country: 'UA', postalCode: '83001' }) }),
      ['/holderAddress/postalCode'],
    ],
    [
      'bank, by its BIC',
      () => swift({ details: { iban: 'RS35260005601001611379', bic: 'BKMTIRTH' } }),
      ['/details/bic'],
    ],
    [
      'bank, by its BIC in lower case with blanks',
      () => swift({ details: { iban: 'RS35260005601001611379', bic: 'bkmt irth xxx' } }),
      ['/details/bic'],
    ],
    [
      "bank, by an IBAN in another field, whatever the account's country",
      () =>
        account({
          ...{ country: 'US', currency: 'USD', rail: 'SWIFT' },
          holderAddress: address({ country: 'US' }),
          details: { accountNumber: 'IR06 2960 0000 0010 0324 2000 01', bic: 'COBAUSFF' },
        }),
      ['/details/accountNumber'],
    ],
    [
      'bank, by an IBAN in a field that the rail does not have',
      () => account({ details: { iban: IBAN, accountNumber: 'IR062960000000100324200001' } }),
      ['/details/accountNumber'],
    ],
    [
      'country and holder at once',
      () => account({ country: 'CU', currency: 'USD', holderAddress: address({ country: 'CU' }) }),
      ['/country', '/holderAddress/country'],
    ],
  ])('%s', async (_what, body, paths) => {
    expect(await refusal('/bank-accounts', body())).toEqual([422, RESTRICTED, paths]);
  });

  it('and beside it everything else that is wrong is named', async () => {
    const body = account({
      details: { iban: 'DE00' },
      holderAddress: address({ country: 'CU' }),
    });
    const answer = await post('/bank-accounts', body);
    expect(answer.statusCode).toBe(400);
    const codes = answer.json<Refused>().details.map(({ code }) => code);
    expect(codes).toEqual(['invalid_iban', RESTRICTED]);
  });

  it('an address elsewhere in the same country is taken', async () => {
    const holderAddress = address({ country: 'UA', region: 'UA-32', postalCode: '08000' });
    const answer = await post('/bank-accounts', account({ holderAddress }));
    expect([200, 201]).toContain(answer.statusCode);
  });
});

describe('an end-user in a restricted place is refused', () => {
  it.each<[string, object, string[]]>([
    ['address', person({ address: address({ country: 'CU' }) }), ['/address/country']],
    [
      'region',
      person({ address: address({ country: 'UA', region: 'Севастополь' }) }),
      ['/address/region'],
    ],
    [
      'postal code under another flag',
      person({ address: address({ country: 'RU', postalCode: '295000' }) }),
      ['/address/postalCode'],
    ],
    ['incorporation', business({ incorporationCountry: 'KP' }), ['/business/incorporationCountry']],
    [
      'incorporation and address',
      { ...business({ incorporationCountry: 'KP' }), address: address({ country: 'IR' }) },
      ['/business/incorporationCountry', '/address/country'],
    ],
  ])('%s', async (_what, body, paths) => {
    expect(await refusal('/end-users', body)).toEqual([422, RESTRICTED, paths]);
  });

  it('a nationality is no place', async () => {
    const individual = { firstName: 'Ada', lastName: 'Sample', nationality: 'CU' };
    expect((await post('/end-users', person({ individual }))).statusCode).toBe(201);
    expect((await post('/end-users', business({ incorporationCountry: 'DE' }))).statusCode).toBe(
      201,
    );
  });
});

describe('a payment', () => {
  it('to an account whose country was restricted later is refused, and nothing is kept', async () => {
    const corridors = createCorridorTable({ restrictions: { countries: ['DE'], regions: [] } });
    const app = buildCheckedApp({ ...harness.deps, corridors });
    const before = await harness.balance();
    const request = {
      ...({ method: 'POST', url: '/api/v1/payments', payload: harness.order() } as const),
      headers: { authorization: `Bearer ${harness.payer.token}`, 'idempotency-key': 'later' },
    };
    const answer = await app.inject(request);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { error: RESTRICTED, details: [{ path: '/bankAccountId', code: RESTRICTED }] },
    ]);
    expect(await harness.balance()).toEqual(before);
    // The key is free: once the country is open again the same request is accepted.
    expect((await harness.app.inject(request)).statusCode).toBe(201);
    await app.close();
  });

  it.each([
    ['amount_below_minimum', { min: '100.00' }, '99.99', '100.00'],
    ['amount_above_maximum', { max: '50.00' }, '50.01', '50.00'],
  ])("answers %s by the operator's limit", async (error, terms, amount, limit) => {
    const key = { country: 'DE', currency: 'EUR', rail: 'SEPA' } as const;
    const corridors = createCorridorTable({ overrides: [{ ...key, ...terms }] });
    const app = buildCheckedApp({ ...harness.deps, corridors });
    const pay = (paid: string) =>
      app.inject({
        ...{ method: 'POST', url: '/api/v1/payments', payload: harness.order({ amount: paid }) },
        headers: {
          authorization: `Bearer ${harness.payer.token}`,
          'idempotency-key': error + paid,
        },
      });
    const refused = await pay(amount);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      422,
      { error, details: [{ path: '/amount', meta: { limit, currency: 'EUR' } }] },
    ]);
    expect((await pay(limit)).statusCode).toBe(201);
    await app.close();
  });

  it('is judged by no limit where none is known', async () => {
    const key = { country: 'DE', currency: 'EUR', rail: 'SEPA' } as const;
    const corridors = createCorridorTable({ overrides: [{ ...key, min: null, max: null }] });
    const app = buildCheckedApp({ ...harness.deps, corridors });
    const answer = await app.inject({
      ...{ method: 'POST', url: '/api/v1/payments', payload: harness.order({ amount: '0.01' }) },
      headers: { authorization: `Bearer ${harness.payer.token}`, 'idempotency-key': 'no-limit' },
    });
    expect(answer.statusCode).toBe(201);
    await app.close();
  });

  it('over a suspended corridor, and an account for one, are refused', async () => {
    const key = { country: 'DE', currency: 'EUR' } as const;
    const overrides = (['SEPA', 'SEPA_INSTANT', 'SWIFT'] as const).map((rail) => ({
      ...{ ...key, rail, status: 'SUSPENDED' as const },
    }));
    const app = buildCheckedApp({ ...harness.deps, corridors: createCorridorTable({ overrides }) });
    const headers = { authorization: `Bearer ${harness.payer.token}` };
    const created = await app.inject({
      ...{ method: 'POST', url: '/api/v1/bank-accounts', payload: account(), headers },
    });
    expect([created.statusCode, created.json().error]).toEqual([422, 'corridor_unavailable']);
    const paid = await app.inject({
      ...{ method: 'POST', url: '/api/v1/payments', payload: harness.order() },
      headers: { ...headers, 'idempotency-key': 'suspended' },
    });
    expect([paid.statusCode, paid.json().error]).toEqual([422, 'corridor_unavailable']);
    await app.close();
  });
});
