import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forwarderAddress } from '../../../src/domain/onchain/create2.ts';
import { WAITING_MAX } from '../../../src/modules/payments/funding-rule.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { publishRates, quote, RATES } from '../../support/quoted-harness.ts';
import { whileStopped } from '../../support/stopped-network.ts';
import { testSettings } from '../../support/test-app.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addWallet, ENCODERS, NETWORKS } from '../../support/wallet-payments.ts';

const [BASE] = NETWORKS.test;
if (BASE === undefined) throw new Error('there is a network');
const PAUSED = { ...BASE, network: 'POLYGON', status: 'PAUSED' } as const;

let harness: PaymentHarness;
beforeAll(async () => {
  const settings = testSettings({ networks: { ...NETWORKS, test: [...NETWORKS.test, PAUSED] } });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  await publishRates(harness, { ...RATES, USDC: '1', USDT: '1' });
});
afterAll(() => harness.close());
// Hooks of the end run from the last to the first.
afterAll(() => harness.expectBooksToHold());

const FUNDING = { type: 'CRYPTO_DEPOSIT', asset: 'USDC', network: 'BASE' };

interface Accepted {
  readonly id: string;
  readonly quoteId: string | null;
  readonly funding: Record<string, string>;
}

/** 10.00 EUR to a bank account, paid by a deposit of USDC. */
async function accepted(overrides: object = {}, key: string = randomUUID()): Promise<Accepted> {
  const answer = await harness.pay(harness.order({ funding: FUNDING, ...overrides }), key);
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Accepted>();
}

async function refusal(overrides: object) {
  const answer = await harness.pay(harness.order({ funding: FUNDING, ...overrides }));
  const { error, details } = answer.json<{
    error: string;
    details: { path: string; code: string }[];
  }>();
  const problems = details.map(({ path, code }) => `${path} ${code}`).sort();
  return { status: answer.statusCode, error, problems };
}

describe('a payment that a deposit is to pay for', () => {
  it('has an address of its own, made by the factory of its environment and its id', async () => {
    const { id, funding } = await accepted();
    expect(funding['address']).toBe(forwarderAddress(BASE.factory, 'test', id));
    const read = await harness.ask({ url: `/payments/${id}` });
    expect(read.json()).toMatchObject({ funding, source: { asset: 'USDC' } });
  });

  it('without a quote is quoted for the fifteen minutes that the deposit has', async () => {
    const { quoteId, funding } = await accepted();
    const read = await harness.ask({ url: `/quotes/${String(quoteId)}` });
    expect(read.json()).toMatchObject({
      ...{ lockFor: '15m', status: 'CONSUMED', sourceAmount: funding['amountDue'] },
      expiresAt: funding['expiresAt'],
    });
    const until = harness.clock.now().getTime() + 15 * 60_000;
    expect(funding['expiresAt']).toBe(new Date(until).toISOString());
  });

  it('with a quote waits until that ends, for what that says', async () => {
    const pair = { sourceCurrency: undefined, sourceAsset: 'USDC', lockFor: '1h' };
    const { id: quoteId, sourceAmount } = await quote(harness, { ...pair, targetAmount: '10.00' });
    const { funding } = await accepted({ quoteId });
    const until = harness.clock.now().getTime() + 60 * 60_000;
    expect(funding).toMatchObject({
      ...{ amountDue: sourceAmount, expiresAt: new Date(until).toISOString() },
    });
    expect(await refusal({ quoteId })).toMatchObject({ error: 'quote_already_used' });
  });

  it('posted twice at once under one key is one payment with one address', async () => {
    const key = randomUUID();
    const body = harness.order({ funding: FUNDING });
    const answers = await Promise.all([harness.pay(body, key), harness.pay(body, key)]);
    const made = answers.find(({ statusCode }) => statusCode === 201);
    const again = await harness.pay(body, key);
    expect(again.statusCode).toBe(201);
    expect(again.json()).toEqual(made?.json());
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it('takes nothing from a balance, however little is in it', async () => {
    const answer = await harness.ask({ url: '/balances' });
    const before = answer.json<{ data: object[] }>().data;
    await accepted({ amount: '900000.00' });
    expect((await harness.ask({ url: '/balances' })).json<{ data: object[] }>().data).toEqual(
      before,
    );
  });

  it('one that a balance pays says so', async () => {
    const answer = await harness.pay(harness.order({ funding: { type: 'BALANCE' } }));
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json<Accepted>().funding).toEqual({
      ...{ type: 'BALANCE', asset: null, network: null, address: null },
      ...{ amountDue: null, amountReceived: null, expiresAt: null, refundWalletId: null },
    });
  });

  it('can be checked before: every problem, what it costs, and that it waits', async () => {
    const body = harness.order({ funding: FUNDING });
    const answer = await harness.ask({ method: 'POST', url: '/payments/validate', body });
    expect(answer.json()).toMatchObject({
      ...{ valid: true, cost: { source: { asset: 'USDC' } } },
      expectedArrival: { at: null, reason: 'AWAITS_DEPOSIT' },
    });
  });
});

describe('is refused', () => {
  it.each([
    ['over a network that is paused', { ...FUNDING, network: 'POLYGON' }, 'corridor_unavailable'],
    [
      'over one that is not configured',
      { ...FUNDING, network: 'OPTIMISM' },
      'corridor_unavailable',
    ],
  ])('%s', async (_what, funding, error) => {
    expect(await refusal({ funding })).toEqual({
      ...{ status: 422, error, problems: [`/funding/network ${error}`] },
    });
  });

  it('in an asset that the network does not list, or that is unknown', async () => {
    for (const asset of ['USDT', 'DOGE']) {
      expect(await refusal({ funding: { ...FUNDING, asset } })).toEqual({
        ...{ status: 400, error: 'unsupported_asset' },
        problems: ['/funding/asset unsupported_asset'],
      });
    }
  });

  it('over an unknown network', async () => {
    expect(await refusal({ funding: { ...FUNDING, network: 'LUNA' } })).toEqual({
      ...{ status: 400, error: 'unsupported_network' },
      problems: ['/funding/network unsupported_network'],
    });
  });

  it('with another source than what is deposited', async () => {
    expect((await refusal({ sourceAsset: 'EURC' })).problems).toEqual([
      '/sourceAsset source_mismatch',
    ]);
    expect((await refusal({ sourceCurrency: 'EUR' })).problems).toEqual([
      '/sourceCurrency source_mismatch',
    ]);
    await accepted({ sourceAsset: 'USDC' });
  });

  it('without its asset and network, and with them where a balance pays', async () => {
    const missing = await refusal({ funding: { type: 'CRYPTO_DEPOSIT' } });
    expect(missing).toMatchObject({ status: 400, error: 'validation_failed' });
    const many = await refusal({ funding: { ...FUNDING, type: 'BALANCE' } });
    expect(many).toMatchObject({ status: 400, error: 'validation_failed' });
  });

  it('with a wallet for refunds that is not theirs, not ACTIVE, or on a network without the asset', async () => {
    const path = '/funding/refundWalletId';
    const at = async (refundWalletId: string) =>
      (await refusal({ funding: { ...FUNDING, refundWalletId } })).problems;
    const customerId = await harness.database.db.system((tx) => addCustomer(tx));
    const payer = await harness.addPayer({ customerId, environment: 'test' });
    const foreign = await addWallet(harness, { payer });
    for (const id of ['wal_01k6b7q0e8f1htx9n3r5p7v2ab', foreign.id]) {
      expect(await at(id)).toEqual([`${path} resource_not_found`]);
    }
    const pending = await addWallet(harness, { status: 'PENDING' });
    expect(await at(pending.id)).toEqual([`${path} wallet_not_active`]);
    const elsewhere = await addWallet(harness, { network: 'ETHEREUM' });
    expect(await at(elsewhere.id)).toEqual([`${path} unsupported_asset`]);
    const { id: refundWalletId } = await addWallet(harness);
    const kept = { type: 'BALANCE', refundWalletId };
    expect(await refusal({ funding: kept })).toMatchObject({ error: 'validation_failed' });
    const shown = await accepted({ funding: { ...FUNDING, refundWalletId } });
    expect(shown.funding).toMatchObject({ refundWalletId });
  });

  it('for a later day, and by a quote that is not in the asset', async () => {
    const at = new Date(harness.clock.now().getTime() + 3 * 24 * 3_600_000);
    const scheduledFor = at.toISOString().slice(0, 10);
    expect(await refusal({ scheduledFor })).toMatchObject({ error: 'scheduling_not_supported' });
    const { id: quoteId } = await quote(harness, { sourceCurrency: 'USD' });
    expect(await refusal({ quoteId })).toMatchObject({
      ...{ error: 'quote_mismatch', problems: ['/sourceAsset quote_mismatch'] },
    });
  });

  it('while its network stands still behind a block that was final', async () => {
    await whileStopped(harness, async () => {
      expect(await refusal({})).toMatchObject({ error: 'corridor_unavailable' });
    });
  });

  it('where fifty of the end-user wait, also when two ask at once for the last place', async () => {
    const waiting = async () => {
      const [row] = await harness.rows<{ count: string }>(
        "SELECT count(*) FROM payment_fundings WHERE status = 'AWAITED'",
      );
      return Number(row?.count ?? 0);
    };
    for (let left = WAITING_MAX - (await waiting()); left > 1; left -= 1) await accepted();
    const body = harness.order({ funding: FUNDING });
    const answers = await Promise.all([harness.pay(body), harness.pay(body), harness.pay(body)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
    expect(await waiting()).toBe(WAITING_MAX);
    expect(await refusal({})).toMatchObject({
      error: 'limit_reached',
      problems: ['/funding limit_reached'],
    });
  });
});
