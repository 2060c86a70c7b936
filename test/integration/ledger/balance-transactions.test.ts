import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fundBalance } from '../../../src/modules/ledger/fund-balance.ts';
import {
  createPaymentHarness,
  type Payer,
  type PaymentHarness,
} from '../../support/payment-harness.ts';
import { addCustomer } from '../../support/test-customer.ts';

interface Shown {
  readonly id: string;
  readonly type: string;
  readonly balance: string;
  readonly currency: string;
  readonly amount: string;
  readonly balanceAfter: string;
  readonly source: { readonly id: string } | null;
  readonly externalId: string | null;
}

let harness: PaymentHarness;
let paymentId: string;
let strangers: Payer[];
beforeAll(async () => {
  harness = await createPaymentHarness({ funds: '100.00' });
  const { db } = harness.database;
  const customerId = await db.system((tx) => addCustomer(tx));
  strangers = [
    await harness.addPayer({ customerId, environment: 'test' }),
    await harness.addPayer({ ...harness.scope, environment: 'live' }),
  ];
  harness.clock.advance(60_000);
  paymentId = await harness.accept({ amount: '12.34', externalId: 'order 7' });
  for (const [currency, amount] of [
    ['JPY', 1_000n],
    ['KWD', 1_001n],
  ] as const) {
    await db.write(harness.scope, (tx) =>
      fundBalance(tx, harness.scope, { currency, amount, rail: 'SWIFT' }, harness.clock.now()),
    );
  }
});
afterAll(() => harness.close());

const list = async (query = '', token?: string): Promise<Shown[]> => {
  const answer = await harness.ask({
    url: `/balance-transactions${query}`,
    ...(token === undefined ? {} : { token }),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Shown[] }>().data;
};
const brief = ({ type, balance, amount, balanceAfter }: Shown) =>
  `${type} ${balance} ${amount} ${balanceAfter}`;

describe('GET /balance-transactions', () => {
  it('tells every change of every balance, newest first, with the decimals of its currency', async () => {
    expect((await list()).map(brief)).toEqual([
      'DEPOSIT AVAILABLE 1.001 1.001',
      'DEPOSIT AVAILABLE 1000 1000',
      'PAYMENT_HOLD RESERVED 12.34 12.34',
      'PAYMENT_HOLD AVAILABLE -12.34 87.66',
      'DEPOSIT AVAILABLE 100.00 100.00',
    ]);
  });

  it('names the payment and what its partner calls it', async () => {
    const [held] = await list('?type=PAYMENT_HOLD&balance=AVAILABLE');
    expect(held).toMatchObject({
      source: { type: 'payment', id: paymentId, kind: 'PAYOUT' },
      externalId: 'order 7',
      currency: 'EUR',
      createdAt: harness.clock.now().toISOString(),
    });
    const [deposit] = await list('?type=DEPOSIT');
    expect(deposit).toMatchObject({ source: null, externalId: null });
  });

  it.each([
    ['?currency=JPY', 1],
    ['?currency=EUR', 3],
    ['?currency=USD', 0],
    ['?balance=RESERVED', 1],
    ['?balance=PENDING', 0],
    ['?type=DEPOSIT', 3],
    ['?type=DEPOSIT&currency=EUR', 1],
    ['?currency=EUR&createdAfter=2020-01-01T00:00:00Z', 3],
    ['?createdBefore=2020-01-01T00:00:00Z', 0],
    ['?type=FEE', 0],
  ])('%s leaves %i', async (query, count) => {
    expect(await list(query)).toHaveLength(count);
  });

  it('narrows by payment and by time', async () => {
    expect(await list(`?paymentId=${paymentId}`)).toHaveLength(2);
    expect(await list(`?paymentId=${paymentId}&balance=RESERVED`)).toHaveLength(1);
    expect(await list(`?paymentId=${paymentId}&currency=JPY`)).toEqual([]);
    const before = new Date(harness.clock.now().getTime() - 30_000).toISOString();
    expect((await list(`?createdBefore=${before}`)).map(brief)).toEqual([
      'DEPOSIT AVAILABLE 100.00 100.00',
    ]);
    expect(await list(`?createdAfter=${before}`)).toHaveLength(4);
    expect(await list(`?currency=EUR&createdAfter=${before}`)).toHaveLength(2);
  });

  it('goes on from page to page, between the two lines of one transaction too', async () => {
    for (const query of ['?', '?currency=EUR&', '?type=PAYMENT_HOLD&']) {
      const whole = await list(query);
      const seen: Shown[] = [];
      let cursor: string | null = '';
      const readPage = async (url: string) =>
        (await harness.ask({ url })).json<{ data: Shown[]; nextCursor: string | null }>();
      while (cursor !== null) {
        const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const page = await readPage(`/balance-transactions${query}limit=1${from}`);
        seen.push(...page.data);
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(whole);
    }
  });

  it('reads each of them by its id', async () => {
    for (const one of await list()) {
      const answer = await harness.ask({ url: `/balance-transactions/${one.id}` });
      expect(answer.json()).toEqual(one);
    }
  });

  it("shows another customer and the other environment nothing of it, nor our own accounts' lines", async () => {
    const all = await list();
    const [line] = await harness.rows<{ id: string }>(
      `SELECT transaction_id AS id FROM ledger_entries WHERE account LIKE 'nostro:%' LIMIT 1`,
    );
    expect(line).toBeDefined();
    for (const { token } of strangers) {
      expect((await list('', token)).map(brief)).toEqual(['DEPOSIT AVAILABLE 100.00 100.00']);
      expect(await list(`?paymentId=${paymentId}`, token)).toEqual([]);
      for (const { id } of all) {
        const answer = await harness.ask({ url: `/balance-transactions/${id}`, token });
        expect(answer.statusCode).toBe(404);
      }
    }
  });

  it.each([
    ['currency=eur', 'unsupported_currency'],
    ['balance=SUSPENSE', 'invalid_parameter'],
    ['type=COVER', 'invalid_parameter'],
    ['limit=0', 'invalid_parameter'],
    ['cursor=bm9uc2Vuc2U', 'invalid_cursor'],
    ['createdAfter=yesterday', 'invalid_parameter'],
    ['account=fees', 'invalid_parameter'],
  ])('refuses ?%s with %s', async (query, error) => {
    const answer = await harness.ask({ url: `/balance-transactions?${query}` });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error });
  });
});
