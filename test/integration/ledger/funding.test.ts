import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isCreditorReference } from '../../../src/domain/ledger/funding/creditor-reference.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import { addCustomer } from '../../support/test-customer.ts';

const EURO = {
  ...{ currency: 'EUR', rail: 'SEPA', account: { iban: 'DE89370400440532013000' } },
  ...{ holderName: 'Sample Payments Ltd', bankName: null },
};
const DOLLAR = { ...EURO, currency: 'USD', rail: 'ACH' };

let harness: PaymentHarness;
let live: Payer;
beforeAll(async () => {
  harness = await createPaymentHarness({
    settings: testSettings({ fundingAccounts: { test: [DOLLAR, EURO], live: [EURO] } }),
  });
  const { customerId } = harness.scope;
  live = await harness.addPayer({ customerId, environment: 'live' });
});
afterAll(() => harness.close());

interface Instruction {
  readonly currency: string;
  readonly reference: string;
  readonly printed: string;
}

async function instructions(token?: string, query = ''): Promise<Instruction[]> {
  const url = `/funding-instructions${query}`;
  const answer = await harness.ask({ url, ...(token === undefined ? {} : { token }) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ data: Instruction[] }>().data;
}

describe('GET /funding-instructions', () => {
  it('lists our accounts with a reference of the customer, the same for ever', async () => {
    const first = await Promise.all([instructions(), instructions(), instructions()]);
    expect(first[1]).toEqual(first[0]);
    expect(first[2]).toEqual(first[0]);
    const [euro, dollar] = first[0];
    expect(euro).toMatchObject(EURO);
    expect(dollar).toMatchObject(DOLLAR);
    expect(euro?.reference).not.toBe(dollar?.reference);
    expect(isCreditorReference(euro?.reference ?? '')).toBe(true);
    expect(euro?.printed.replaceAll(' ', '')).toBe(euro?.reference);
    harness.clock.advance(86_400_000);
    expect(await instructions()).toEqual(first[0]);
  });

  it('gives each customer and environment references of its own', async () => {
    const other = await harness.addPayer({
      customerId: await harness.database.db.system((tx) => addCustomer(tx)),
      environment: 'test',
    });
    const all = [
      ...(await instructions()),
      ...(await instructions(other.token)),
      ...(await instructions(live.token)),
    ];
    expect(new Set(all.map(({ reference }) => reference)).size).toBe(5);
  });

  it('answers a currency without an account with nothing, and no currency with 400', async () => {
    expect(await instructions(undefined, '?currency=EUR')).toHaveLength(1);
    expect(await instructions(undefined, '?currency=JPY')).toEqual([]);
    for (const currency of ['ZZZ', 'eur', 'EURO', '']) {
      const answer = await harness.ask({ url: `/funding-instructions?currency=${currency}` });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: 'unsupported_currency' });
    }
  });
});

describe('GET /balances', () => {
  it('tells what is owed to us', async () => {
    await harness.rows(
      `UPDATE balances SET receivable = -250, available = 0
       WHERE customer_id = $1 AND environment = 'live' AND currency = 'EUR'`,
      [live.scope.customerId],
    );
    const answer = await harness.ask({ url: '/balances', token: live.token });
    expect(answer.json<{ data: object[] }>().data).toContainEqual(
      expect.objectContaining({ currency: 'EUR', available: '0.00', receivable: '-2.50' }),
    );
  });
});

describe('POST /sandbox/deposits', () => {
  const deposit = (body: object, key?: string, token?: string) =>
    harness.ask({
      ...{ method: 'POST', url: '/sandbox/deposits', body },
      ...(key === undefined ? {} : { key }),
      ...(token === undefined ? {} : { token }),
    });
  const waiting = () =>
    harness.rows<{ id: string }>('SELECT id FROM sandbox_deposits WHERE outcome IS NULL');

  it('takes one under the own reference where none is named, once a key', async () => {
    const [euro] = await instructions(undefined, '?currency=EUR');
    const before = (await waiting()).length;
    const first = await deposit({ currency: 'EUR', amount: '12.30' }, 'deposit-1');
    expect(first.statusCode, first.body).toBe(202);
    expect(first.json()).toMatchObject({ amount: '12.30', reference: euro?.reference });
    const again = await deposit({ currency: 'EUR', amount: 12.3 }, 'deposit-1');
    expect(again.body).toBe(first.body);
    expect((await waiting()).length).toBe(before + 1);
  });

  it.each([
    [{ currency: 'ZZZ', amount: '1' }, 'unsupported_currency'],
    [{ currency: 'EUR', amount: '1.001' }, 'amount_precision_exceeded'],
    [{ currency: 'EUR', amount: '0' }, 'validation_failed'],
    [{ currency: 'EUR', amount: '1', reference: 'Ada Sample' }, 'validation_failed'],
    [{ currency: 'EUR', amount: '1', payer: 'X' }, 'validation_failed'],
  ])('refuses %j', async (body, error) => {
    const before = await waiting();
    const answer = await deposit(body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error });
    expect(await waiting()).toEqual(before);
  });

  it('takes a balance to 10^15 minor units and no further, several at once neither', async () => {
    const payer = await harness.addPayer({
      customerId: await harness.database.db.system((tx) => addCustomer(tx)),
      environment: 'test',
    });
    const rich = (amount: string) => deposit({ currency: 'KWD', amount }, undefined, payer.token);
    const [balance] = await harness.rows<{ available: string }>(
      `SELECT available::text AS available FROM balances
       WHERE customer_id = $1 AND environment = 'test' AND currency = 'KWD'`,
      [payer.scope.customerId],
    );
    const left = 10n ** 15n - BigInt(balance?.available ?? 0);
    const text = (minor: bigint) =>
      `${String(minor / 1000n)}.${String(minor % 1000n).padStart(3, '0')}`;
    const half = left / 2n;
    const answers = await Promise.all([1, 2, 3, 4].map(() => rich(text(half))));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([202, 202, 422, 422]);
    const refused = await rich(text(left - 2n * half + 1n));
    expect(refused.statusCode).toBe(422);
    expect(refused.json()).toMatchObject({
      error: 'amount_above_maximum',
      details: [{ path: '/amount' }],
    });
    const sum = await harness.rows<{ sum: string }>(
      `SELECT sum(amount)::text AS sum FROM sandbox_deposits WHERE customer_id = $1`,
      [payer.scope.customerId],
    );
    expect(sum).toEqual([{ sum: String(2n * half) }]);
  });

  it('is not there for a live key', async () => {
    const before = await waiting();
    const answer = await deposit({ currency: 'EUR', amount: '1' }, undefined, live.token);
    expect(answer.statusCode).toBe(404);
    expect(await waiting()).toEqual(before);
  });
});
