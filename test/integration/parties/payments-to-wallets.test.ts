import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { publishRates, RATES } from '../../support/quoted-harness.ts';
import { testSettings } from '../../support/test-app.ts';
import { addCustomer } from '../../support/test-customer.ts';
import {
  addWallet,
  ENCODERS,
  fundAsset,
  NETWORKS,
  toWallet,
} from '../../support/wallet-payments.ts';

let harness: PaymentHarness;
let stranger: Payer;
beforeAll(async () => {
  const settings = testSettings({ networks: NETWORKS });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  const other = await harness.database.db.system((tx) => addCustomer(tx));
  stranger = await harness.addPayer({ customerId: other, environment: 'test' });
  await fundAsset(harness, 'USDC', 1_000_000_000n);
});
afterAll(() => harness.close());
// Hooks of the end run from the last to the first.
afterAll(() => harness.expectBooksToHold());

interface Problem {
  readonly path: string;
  readonly code: string;
}

/** What a refused body is told: its code, and what is wrong with which field. */
async function refusal(body: object) {
  const answer = await harness.pay(body);
  const { error, details } = answer.json<{ error: string; details: Problem[] }>();
  const problems = details.map(({ path, code }) => `${path} ${code}`).sort();
  return { status: answer.statusCode, error, problems };
}

describe('a payment to a wallet', () => {
  it('holds the asset, names its network, and shows no currency beside it', async () => {
    const wallet = await addWallet(harness);
    const before = await harness.balance('USDC');
    const answer = await harness.pay(toWallet(harness, wallet.id));
    expect(answer.statusCode, answer.body).toBe(201);
    const payment = answer.json<Record<string, unknown>>();
    expect(payment).toMatchObject({
      ...{ bankAccountId: null, walletId: wallet.id, rail: 'BASE', network: 'BASE' },
      ...{ amount: '25.000000', asset: 'USDC', source: { asset: 'USDC', amount: '25.000000' } },
      ...{ status: 'PROCESSING', statusDetail: 'QUEUED', preliminary: true, rate: null },
    });
    expect([payment, payment['source']]).toSatisfy((shown: object[]) =>
      shown.every((one) => !('currency' in one)),
    );
    const after = await harness.balance('USDC');
    expect(BigInt(before.available) - BigInt(after.available)).toBe(25_000_000n);
    const read = await harness.ask({ url: `/payments/${String(payment['id'])}` });
    expect(read.json()).toEqual(payment);
  });

  it('the event tells the wallet and the asset', async () => {
    const wallet = await addWallet(harness);
    const { id } = (await harness.pay(toWallet(harness, wallet.id))).json<{ id: string }>();
    const [event] = await harness.rows<{ body: string }>(
      'SELECT body FROM events WHERE resource_id = $1',
      [id],
    );
    expect(JSON.parse(event?.body ?? '{}')).toMatchObject({
      type: 'payment.created',
      data: { walletId: wallet.id, asset: 'USDC', network: 'BASE', bankAccountId: null },
    });
  });

  it("goes to the customer's own wallet for any end-user", async () => {
    const wallet = await addWallet(harness, { endUserId: null });
    expect((await harness.pay(toWallet(harness, wallet.id))).statusCode).toBe(201);
  });

  it('from a balance of another currency it is quoted, and the ledger keeps both', async () => {
    await publishRates(harness, { ...RATES, USDC: '1' });
    const wallet = await addWallet(harness);
    const body = toWallet(harness, wallet.id, { sourceCurrency: 'EUR' });
    const answer = await harness.pay(body);
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json()).toMatchObject({
      ...{ amount: '25.000000', asset: 'USDC', quoteId: expect.stringMatching(/^quo_/) },
      source: { currency: 'EUR', amount: expect.stringMatching(/^22\.5\d$/) },
    });
  });

  it('is listed by its wallet, and in the same place as others', async () => {
    const wallet = await addWallet(harness);
    const { id } = (await harness.pay(toWallet(harness, wallet.id))).json<{ id: string }>();
    const ids = async (query: string) =>
      (await harness.ask({ url: `/payments?${query}` }))
        .json<{ data: { id: string }[] }>()
        .data.map((one) => one.id);
    const { endUserId, bankAccountId } = harness.payer;
    expect(await ids(`walletId=${wallet.id}`)).toEqual([id]);
    expect(await ids(`walletId=${wallet.id}&endUserId=${endUserId}`)).toEqual([id]);
    expect(await ids(`walletId=${wallet.id}&bankAccountId=${bankAccountId}`)).toEqual([]);
    expect((await ids('limit=1'))[0]).toBe(id);
  });

  it('is judged without effect as it would be accepted', async () => {
    const wallet = await addWallet(harness);
    const validate = (body: object) =>
      harness.ask({ method: 'POST', url: '/payments/validate', body });
    expect((await validate(toWallet(harness, wallet.id))).json()).toMatchObject({
      ...{ valid: true, problems: [], corridor: null },
      cost: { source: { asset: 'USDC', amount: '25.000000' } },
      expectedArrival: { at: null, reason: 'SPEED_NOT_STATED' },
    });
    const pending = await addWallet(harness, { status: 'PENDING' });
    expect((await validate(toWallet(harness, pending.id))).json()).toMatchObject({
      ...{ valid: false, problems: [{ path: '/walletId', code: 'wallet_not_active' }] },
    });
  });

  it('in a batch, beside one to a bank account', async () => {
    const wallet = await addWallet(harness);
    const items = [
      { idempotencyKey: 'batch-wallet', ...toWallet(harness, wallet.id) },
      { idempotencyKey: 'batch-account', ...harness.order() },
    ];
    const answer = await harness.ask({ method: 'POST', url: '/payment-batches', body: { items } });
    expect(answer.statusCode, answer.body).toBe(201);
    const read = await harness.ask({
      url: `/payment-batches/${answer.json<{ id: string }>().id}/items`,
    });
    expect(read.json()).toMatchObject({ data: [{ state: 'PENDING' }, { state: 'PENDING' }] });
  });
});

describe('refused', () => {
  it.each(['PENDING', 'REJECTED', 'DISABLED'] as const)('a wallet that is %s', async (status) => {
    const wallet = await addWallet(harness, { status });
    expect(await refusal(toWallet(harness, wallet.id))).toEqual({
      ...{ status: 422, error: 'wallet_not_active', problems: ['/walletId wallet_not_active'] },
    });
  });

  it("another customer's wallet, and another end-user's, as if there were none", async () => {
    const none = {
      ...{ status: 422, error: 'resource_not_found', problems: ['/walletId resource_not_found'] },
    };
    const foreign = await addWallet(harness, { payer: stranger });
    const own = await addWallet(harness, { endUserId: null, payer: stranger });
    const individual = { firstName: 'Bea', lastName: 'Sample' };
    const other = await harness.ask({
      ...{ method: 'POST', url: '/end-users', body: { type: 'INDIVIDUAL', individual } },
    });
    const endUserId = other.json<{ id: string }>().id;
    const siblings = await addWallet(harness, { endUserId });
    for (const { id } of [foreign, own, siblings]) {
      expect(await refusal(toWallet(harness, id))).toEqual(none);
    }
    expect(await refusal(toWallet(harness, 'wal_01k6b7q0e8f1htx9n3r5p7v2ab'))).toEqual(none);
  });

  it('an asset that the network does not list, and one that there is not', async () => {
    const wallet = await addWallet(harness);
    const unlisted = {
      ...{ status: 400, error: 'unsupported_asset', problems: ['/asset unsupported_asset'] },
    };
    expect(await refusal(toWallet(harness, wallet.id, { asset: 'USDT' }))).toEqual(unlisted);
    expect(await refusal(toWallet(harness, wallet.id, { asset: 'DOGE' }))).toEqual(unlisted);
    expect(await refusal(toWallet(harness, wallet.id, { sourceAsset: 'EUR' }))).toEqual({
      ...unlisted,
      problems: ['/sourceAsset unsupported_asset'],
    });
    const asCurrency = { asset: undefined, walletId: undefined, currency: 'USDC' };
    const { bankAccountId } = harness.payer;
    expect(
      await refusal(toWallet(harness, wallet.id, { ...asCurrency, bankAccountId })),
    ).toMatchObject({ status: 400, problems: ['/currency unsupported_currency'] });
  });

  it('a network that the environment does not have', async () => {
    const wallet = await addWallet(harness, { network: 'POLYGON' });
    expect(await refusal(toWallet(harness, wallet.id))).toEqual({
      ...{ status: 422, error: 'corridor_unavailable' },
      problems: ['/walletId corridor_unavailable'],
    });
  });

  it.each([
    ['0.999999', 'amount_below_minimum', '1.000000'],
    ['50000.000001', 'amount_above_maximum', '50000.000000'],
  ])('%s: %s', async (amount, code, limit) => {
    const wallet = await addWallet(harness);
    const answer = await harness.pay(toWallet(harness, wallet.id, { amount }));
    expect(answer.json()).toMatchObject({
      ...{ error: code, details: [{ path: '/amount', code, meta: { limit, asset: 'USDC' } }] },
    });
  });

  it('more than six decimals', async () => {
    const wallet = await addWallet(harness);
    expect(await refusal(toWallet(harness, wallet.id, { amount: '1.0000001' }))).toMatchObject({
      ...{ status: 400, error: 'amount_precision_exceeded' },
    });
  });

  it('a balance that does not cover it', async () => {
    const wallet = await addWallet(harness);
    expect(await refusal(toWallet(harness, wallet.id, { amount: '40000' }))).toMatchObject({
      ...{ status: 422, error: 'insufficient_balance' },
    });
  });

  it('a later day: a network has no banking days', async () => {
    const wallet = await addWallet(harness);
    expect(await refusal(toWallet(harness, wallet.id, { scheduledFor: '2026-10-05' }))).toEqual({
      ...{ status: 422, error: 'scheduling_not_supported' },
      problems: ['/scheduledFor scheduling_not_supported'],
    });
  });

  it('a body that names neither or both, with every problem at once', async () => {
    const { endUserId, bankAccountId } = harness.payer;
    const wallet = await addWallet(harness);
    const paths = async (body: object) =>
      (await refusal(body)).problems.map((one) => one.split(' ')[0]);
    expect(await paths({ endUserId })).toEqual(['/amount', '/bankAccountId', '/currency']);
    expect(await paths({ endUserId, amount: 'much', bankAccountId })).toEqual([
      '/amount',
      '/currency',
    ]);
    expect(await paths({ walletId: wallet.id, purpose: 'x' })).toEqual([
      ...['/amount', '/asset', '/endUserId', '/purpose'],
    ]);
    expect(await paths({ endUserId, amount: '1', asset: 'USDC' })).toEqual(['/walletId']);
    expect(await paths(toWallet(harness, wallet.id, { bankAccountId, currency: 'EUR' }))).toEqual([
      '/bankAccountId',
      '/currency',
    ]);
    const sources = { sourceAsset: 'USDC', sourceCurrency: 'EUR' };
    expect(await paths(toWallet(harness, wallet.id, sources))).toEqual(['/sourceCurrency']);
  });
});
