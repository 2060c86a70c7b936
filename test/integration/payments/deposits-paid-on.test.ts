import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payOnDeposit } from '../../../src/modules/onchain/deposits/pay-on-deposit.ts';
import { payOnDueDeposits } from '../../../src/modules/onchain/deposits/pay-on-due-deposits.ts';
import { createFeeSchedule } from '../../../src/domain/payments/fees/fee-schedule.ts';
import { depositsArePaidOn } from '../../../src/cli/verify/deposits-are-paid-on.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { judged, type Verdict } from '../../../src/cli/verify/verdict.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { publishRates } from '../../support/quoted-harness.ts';
import { bookStandingDeposit, type StandingDeposit } from '../../support/standing-deposit.ts';
import { testSettings } from '../../support/test-app.ts';
import {
  addWallet,
  disableWallet,
  ENCODERS,
  fundAsset,
  NETWORKS,
} from '../../support/wallet-payments.ts';

const RATES = { EUR: '0.8', USDC: '1.0001', USDT: '0.9995', EURC: '0.8008' };
const fees = createFeeSchedule([
  {
    ...{ type: 'NETWORK', currency: 'USDC', environment: null, rail: 'BASE', country: null },
    ...{ fixed: 500_000n, bps: 10, min: null, max: null },
  },
  {
    ...{ type: 'RAIL', currency: 'USDC', environment: null, rail: 'SEPA', country: 'DE' },
    ...{ fixed: 500_000n, bps: 0, min: null, max: null },
  },
]);

let harness: PaymentHarness;
beforeAll(async () => {
  const settings = testSettings({ networks: NETWORKS, fees });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  await publishRates(harness, RATES);
  await fundAsset(harness, 'USDC', 1_000_000_000n);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await harness.close();
});

interface Shown {
  readonly id: string;
  readonly reason: string | null;
  readonly onward: { readonly paymentId: string | null; readonly code: string | null } | null;
}

async function addAddress(body: object): Promise<string> {
  const { endUserId } = harness.payer;
  const order = { endUserId, ...body };
  const answer = await harness.ask({ method: 'POST', url: '/deposit-addresses', body: order });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Shown>().id;
}
const toAccount = () => addAddress({ bankAccountId: harness.payer.bankAccountId });
const BASE = { environment: 'test', network: 'BASE' } as const;
const come = (addressId: string, deposit?: StandingDeposit) =>
  bookStandingDeposit(harness, addressId, deposit);
const payOn = (depositId: string) => payOnDeposit(harness.deps, { ...harness.scope, depositId });
const show = async (id: string) => (await harness.ask({ url: `/deposits/${id}` })).json<Shown>();
const due = () => harness.rows(`SELECT FROM deposit_onward WHERE status = 'DUE'`);
const eventsOf = async (id: string) => {
  const rows = await harness.rows<{ type: string }>(
    'SELECT type FROM events WHERE resource_id = $1 ORDER BY seq',
    [id],
  );
  return rows.map(({ type }) => type);
};
const paymentsOf = (id: string) =>
  harness.rows('SELECT id FROM payments WHERE idempotency_key = $1', [`deposit·${id}`]);

/** What verify says of deposits that are paid on, in a database that was changed with triggers off. */
async function judgedAfter(change: string, undo: string): Promise<Verdict> {
  const superuser = new pg.Client({ connectionString: harness.database.url });
  await superuser.connect();
  const connection = await connectToVerify(harness.database.url);
  try {
    await superuser.query(`SET session_replication_role = replica; ${change}`);
    return judged('I23', 'paid on', await connection.snapshot(depositsArePaidOn));
  } finally {
    await superuser.query(undo);
    await connection.close();
    await superuser.end();
  }
}

describe('verify', () => {
  it.each([
    [
      'a payment that its deposit does not name',
      (id: string) => [
        `UPDATE deposit_onward SET payment_id = NULL, status = 'DUE' WHERE deposit_id = '${id}'`,
        `UPDATE deposit_onward SET status = 'PAID', payment_id = (SELECT id FROM payments
         WHERE idempotency_key = 'deposit·${id}') WHERE deposit_id = '${id}'`,
      ],
    ],
    [
      'a payment of more than came',
      (id: string) => [
        `UPDATE payments SET source_amount = source_amount * 2 WHERE idempotency_key = 'deposit·${id}'`,
        `UPDATE payments SET source_amount = source_amount / 2 WHERE idempotency_key = 'deposit·${id}'`,
      ],
    ],
    [
      'a deposit of which nothing says what became',
      (id: string) => [
        `CREATE TABLE forgotten AS SELECT * FROM deposit_onward WHERE deposit_id = '${id}';
       DELETE FROM deposit_onward WHERE deposit_id = '${id}'`,
        'INSERT INTO deposit_onward SELECT * FROM forgotten; DROP TABLE forgotten',
      ],
    ],
  ])('I23 finds %s', async (_what, plant) => {
    const id = await come(await toAccount());
    await payOn(id);
    const held = await judgedAfter('SELECT 1', 'SELECT 1');
    expect(held).toMatchObject({ status: 'held' });
    const [change = '', undo = ''] = plant(id);
    expect(await judgedAfter(change, undo)).toMatchObject({ status: 'violated' });
  });
});

describe('a final deposit to an address with a bank account', () => {
  it('becomes a payment of what it buys: all of it is spent, and the beneficiary’s part rounded down', async () => {
    const before = await harness.balance('USDC');
    const id = await come(await toAccount());
    expect((await show(id)).onward).toBeNull();
    await payOn(id);
    const deposit = await show(id);
    expect(deposit).toMatchObject({ status: 'FINAL', appliedTo: 'BALANCE', reason: null });
    const paymentId = deposit.onward?.paymentId ?? '';
    const payment = (await harness.ask({ url: `/payments/${paymentId}` })).json<{
      amount: string;
      source: { amount: string };
    }>();
    expect(payment).toMatchObject({
      ...{ currency: 'EUR', bankAccountId: harness.payer.bankAccountId, status: 'PROCESSING' },
      ...{ metadata: { depositId: id }, source: { asset: 'USDC' } },
    });
    expect(Number(payment.amount)).toBeGreaterThan(78);
    const after = await harness.balance('USDC');
    expect(after.available).toBe(before.available);
    expect(BigInt(after.reserved) - BigInt(before.reserved)).toBe(100_000_000n);
    expect(await eventsOf(id)).toEqual([
      ...['deposit.seen', 'deposit.credited', 'deposit.final', 'deposit.updated'],
    ]);
  });

  it('becomes one payment, however often and at once it is judged', async () => {
    const id = await come(await toAccount());
    await Promise.all(Array.from({ length: 8 }, () => payOn(id)));
    await payOn(id);
    expect(await paymentsOf(id)).toHaveLength(1);
  });

  it('becomes one payment where the reader and the reconciler take it at once', async () => {
    const ids = [await come(await toAccount()), await come(await toAccount())];
    const fault = (depositId: string, error: unknown) => {
      throw new Error(depositId, { cause: error });
    };
    const look = () => payOnDueDeposits({ ...harness.deps, onFault: fault }, BASE);
    await Promise.all([look(), ...ids.map(payOn), look(), ...ids.map(payOn)]);
    for (const id of ids) expect(await paymentsOf(id)).toHaveLength(1);
    expect(await due()).toEqual([]);
  });

  it('is left to the reconciler where the reader fails, and keeps no other from its turn', async () => {
    const ids = [await come(await toAccount()), await come(await toAccount())];
    const faults: string[] = [];
    let encoded = 0;
    const encoderFor: typeof ENCODERS = (environment, rail) => {
      const encode = ENCODERS(environment, rail);
      encoded += 1;
      if (encoded === 1) throw new Error('killed');
      return encode;
    };
    const deps = { ...harness.deps, encoderFor, onFault: (id: string) => void faults.push(id) };
    await payOnDueDeposits(deps, { ...BASE, network: 'POLYGON' });
    expect(await due()).toHaveLength(2);
    await payOnDueDeposits(deps, BASE);
    expect(faults).toHaveLength(1);
    expect(await due()).toHaveLength(1);
    for (const id of ids) await payOn(id);
    for (const id of ids) expect(await paymentsOf(id)).toHaveLength(1);
  });

  it('waits until it is final: what may still be orphaned pays no one on', async () => {
    const address = await toAccount();
    for (const status of ['SEEN', 'CREDITED'] as const) {
      const id = await come(address, { status });
      await payOn(id);
      expect([await paymentsOf(id), (await show(id)).onward]).toEqual([[], null]);
    }
    expect(await due()).toEqual([]);
  });

  it('killed while it is judged leaves nothing, and is judged anew; killed after the commit it is paid on', async () => {
    const id = await come(await toAccount());
    const kill = () => {
      throw new Error('killed');
    };
    const dying = { ...harness.deps, encoderFor: () => kill };
    const ref = { ...harness.scope, depositId: id };
    await expect(payOnDeposit(dying, ref)).rejects.toThrow('killed');
    expect([await paymentsOf(id), (await show(id)).onward]).toEqual([[], null]);
    const startless = {
      ...harness.deps.workflows,
      startPayment: () => Promise.reject(new Error('lost')),
    };
    await expect(payOnDeposit({ ...harness.deps, workflows: startless }, ref)).rejects.toThrow(
      'lost',
    );
    const paid = await show(id);
    await payOn(id);
    expect([await paymentsOf(id), await show(id)]).toMatchObject([[{}], paid]);
    expect(paid.onward?.paymentId).toMatch(/^pay_/);
  });

  it('pays under a key that no client can send', async () => {
    const id = await come(await toAccount());
    const key = `deposit·${id}`;
    const answer = await harness.pay(harness.order(), key);
    expect(answer.json()).toMatchObject({ error: 'invalid_idempotency_key' });
    await payOn(id);
    expect(await paymentsOf(id)).toHaveLength(1);
  });
});

describe('a final deposit to an address with a wallet', () => {
  it('is paid on in the asset that came, the fees taken from it', async () => {
    const { id: walletId } = await addWallet(harness);
    const id = await come(await addAddress({ walletId }), { amount: 25_000_000n });
    await payOn(id);
    const paymentId = (await show(id)).onward?.paymentId ?? '';
    const payment = (await harness.ask({ url: `/payments/${paymentId}` })).json<{
      amount: string;
    }>();
    expect(payment).toMatchObject({ asset: 'USDC', walletId, amount: '24.475524' });
  });

  it('of which the fees leave nothing stays in the balance', async () => {
    const { id: walletId } = await addWallet(harness);
    const id = await come(await addAddress({ walletId }), { amount: 500_000n });
    await payOn(id);
    const code = 'amount_below_minimum';
    expect(await show(id)).toMatchObject({ onward: { paymentId: null, code } });
  });
});

describe('a deposit whose payment is refused', () => {
  it.each([
    [
      'the end-user has no approved KYC',
      'kyc_not_approved',
      async () => {
        const { endUserId } = await addEndUser();
        const body = { endUserId, network: 'BASE', address: `0x${'7'.repeat(40)}` };
        const wallet = await harness.ask({
          ...{ method: 'POST', url: '/wallets', body: { ...body, ownership: 'SELF_HOSTED' } },
        });
        return come(await addAddress({ endUserId, walletId: wallet.json<Shown>().id }));
      },
    ],
    [
      'the wallet was disabled',
      'wallet_not_active',
      async () => {
        const { id: walletId } = await addWallet(harness);
        const address = await addAddress({ walletId });
        await disableWallet(harness, walletId);
        return come(address);
      },
    ],
    [
      'the address was disabled',
      'deposit_address_disabled',
      async () => {
        const address = await toAccount();
        await harness.ask({ method: 'POST', url: `/deposit-addresses/${address}/disable` });
        return come(address);
      },
    ],
  ])('stays in the balance and says why: %s', async (_why, code, make) => {
    const id = await make();
    const before = await harness.balance('USDC');
    await payOn(id);
    const deposit = await show(id);
    expect(deposit).toMatchObject({
      ...{ status: 'FINAL', appliedTo: 'BALANCE', reason: 'PAYMENT_REFUSED' },
      onward: { paymentId: null, code },
    });
    expect(await harness.balance('USDC')).toEqual(before);
    expect((await eventsOf(id)).at(-1)).toBe('deposit.updated');
    await payOn(id);
    expect(await show(id)).toEqual(deposit);
    expect(await paymentsOf(id)).toEqual([]);
  });

  it('leaves no quote behind, and is not tried again once rates are there', async () => {
    const address = await toAccount();
    const id = await come(address, { asset: 'EURC' });
    await harness.rows('DELETE FROM fx_rates');
    const quotes = await harness.rows('SELECT id FROM quotes ORDER BY id');
    await payOn(id);
    expect((await show(id)).onward).toMatchObject({ code: 'rate_unavailable' });
    await publishRates(harness, RATES);
    await payOn(id);
    expect(await harness.rows('SELECT id FROM quotes ORDER BY id')).toEqual(quotes);
    expect(await paymentsOf(id)).toEqual([]);
  });
});

describe('the database', () => {
  it('takes no second judgement, no other payment, and none out of its turn', async () => {
    const id = await come(await toAccount());
    const other = await harness.accept();
    const set = (sql: string, values: readonly unknown[]) => harness.rows(sql, values);
    await expect(
      set(`UPDATE deposit_onward SET status = 'PAID', payment_id = $2 WHERE deposit_id = $1`, [
        id,
        other,
      ]),
    ).rejects.toMatchObject({ code: '23514' });
    await payOn(id);
    const again = `UPDATE deposit_onward SET status = 'REFUSED', payment_id = NULL, refused_code = 'x' WHERE deposit_id = $1`;
    await expect(set(again, [id])).rejects.toMatchObject({ code: '23514' });
    await expect(set('DELETE FROM deposit_onward WHERE deposit_id = $1', [id])).rejects.toThrow(
      /append-only/,
    );
  });
});

async function addEndUser(): Promise<{ endUserId: string }> {
  const individual = { firstName: 'Ada', lastName: 'Sample' };
  const body = { type: 'INDIVIDUAL', individual };
  const answer = await harness.ask({ method: 'POST', url: '/end-users', body });
  return { endUserId: answer.json<Shown>().id };
}
