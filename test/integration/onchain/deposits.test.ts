import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payOnDeposit } from '../../../src/modules/onchain/deposits/pay-on-deposit.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { bookStandingDeposit, type StandingDeposit } from '../../support/standing-deposit.ts';
import { testSettings } from '../../support/test-app.ts';
import { addApiKey } from '../../support/test-customer.ts';
import {
  addWallet,
  disableWallet,
  ENCODERS,
  fundAsset,
  NETWORKS,
} from '../../support/wallet-payments.ts';

let harness: PaymentHarness;
let live: Payer;
beforeAll(async () => {
  const settings = testSettings({ networks: NETWORKS });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  live = await harness.addPayer({ ...harness.scope, environment: 'live' });
});
afterAll(() => harness.close());
// Hooks of the end run from the last to the first.
afterAll(() => harness.expectBooksToHold());

interface Shown {
  readonly id: string;
}

async function addAddress(body: object = {}): Promise<string> {
  const answer = await harness.ask({ method: 'POST', url: '/deposit-addresses', body });
  return answer.json<Shown>().id;
}
const come = (addressId: string, deposit?: StandingDeposit) =>
  bookStandingDeposit(harness, addressId, deposit);
const ownAddress = () => addAddress({ endUserId: harness.payer.endUserId });

let keys = 0;
const refund = (
  id: string,
  body: object,
  { key, token }: { key?: string; token?: string } = {},
) => {
  keys += 1;
  return harness.ask({
    ...{ method: 'POST', url: `/deposits/${id}/refund`, body },
    key: key ?? `refund-${String(keys)}`,
    ...(token === undefined ? {} : { token }),
  });
};
const refundsOf = (id: string) =>
  harness.rows('SELECT payment_id FROM deposit_refunds WHERE deposit_id = $1', [id]);

describe('GET /deposits', () => {
  it('shows what came, where it is and how deep', async () => {
    const depositAddressId = await ownAddress();
    const id = await come(depositAddressId);
    const shown = (await harness.ask({ url: `/deposits/${id}` })).json();
    expect(shown).toMatchObject({
      ...{ id, depositAddressId, paymentId: null, network: 'BASE', asset: 'USDC' },
      ...{ amount: '100.000000', status: 'FINAL', appliedTo: 'BALANCE', reason: null },
      ...{ confirmations: { have: 0, need: 3 }, onward: null },
    });
  });

  it('lists by address, status, asset, network and time, newest first', async () => {
    const address = await ownAddress();
    const ids = [await come(address, { status: 'CREDITED' }), await come(address)];
    const list = async (query: string) => {
      const answer = await harness.ask({ url: `/deposits?depositAddressId=${address}&${query}` });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json<{ data: Shown[] }>().data.map(({ id }) => id);
    };
    const now = harness.clock.now().getTime();
    const [before, after] = [now - 1_000, now + 1_000].map((at) => new Date(at).toISOString());
    expect(await list('')).toEqual([...ids].reverse());
    expect(await list('status=CREDITED')).toEqual([ids[0]]);
    expect(await list('asset=USDC&network=BASE&limit=1')).toEqual([ids[1]]);
    expect(await list('network=POLYGON')).toEqual([]);
    expect(await list(`createdAfter=${before ?? ''}&createdBefore=${after ?? ''}`)).toHaveLength(2);
    expect(await list(`createdAfter=${after ?? ''}`)).toEqual([]);
  });

  it('lists those of one end-user, and none for an id that is not of this customer', async () => {
    const answer = await harness.ask({
      ...{ method: 'POST', url: '/end-users', key: 'another end-user' },
      body: { type: 'INDIVIDUAL', individual: { firstName: 'Ada', lastName: 'Sample' } },
    });
    const { id: other } = answer.json<Shown>();
    const id = await come(await addAddress({ endUserId: other }));
    await come(await ownAddress());
    const list = async (endUserId: string) => {
      const listed = await harness.ask({ url: `/deposits?endUserId=${endUserId}` });
      expect(listed.statusCode, listed.body).toBe(200);
      return listed.json<{ data: Shown[] }>().data.map((deposit) => deposit.id);
    };
    expect(await list(other)).toEqual([id]);
    expect(await list('eu_00000000000000000000000000')).toEqual([]);
  });
});

describe('POST /deposits/{id}/refund', () => {
  it('pays what came to a wallet, all of it unless told otherwise', async () => {
    const { id: walletId } = await addWallet(harness);
    const id = await come(await ownAddress());
    const answer = await refund(id, { walletId });
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json()).toMatchObject({
      ...{ walletId, asset: 'USDC', amount: '100.000000', status: 'PROCESSING' },
      metadata: { depositId: id },
    });
    const [row] = await refundsOf(id);
    expect(row).toEqual({ payment_id: answer.json<Shown>().id });
  });

  it('is one payment under one key, whatever has become of the deposit since', async () => {
    const { id: walletId } = await addWallet(harness);
    const id = await come(await ownAddress());
    const first = await refund(id, { walletId, amount: '100' }, { key: 'one refund' });
    const again = await refund(id, { walletId, amount: '100.00' }, { key: 'one refund' });
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    const other = await refund(id, { walletId, amount: '1' }, { key: 'one refund' });
    expect(other.json()).toMatchObject({ error: 'idempotency_key_mismatch' });
    expect(await refundsOf(id)).toHaveLength(1);
  });

  it('never gives back more than came, however many ask at once', async () => {
    const { id: walletId } = await addWallet(harness);
    await fundAsset(harness, 'USDC', 1_000_000_000n);
    const id = await come(await ownAddress());
    const asked = Array.from({ length: 6 }, () => refund(id, { walletId, amount: '30' }));
    const answers = await Promise.all(asked);
    const codes = answers.map(({ statusCode }) => statusCode).sort();
    expect(codes).toEqual([201, 201, 201, 422, 422, 422]);
    const over = await refund(id, { walletId, amount: '10.000001' });
    expect(over.json()).toMatchObject({
      error: 'refund_exceeds_deposit',
      details: [{ path: '/amount', meta: { asset: 'USDC', left: '10.000000' } }],
    });
    expect((await refund(id, { walletId })).json()).toMatchObject({ amount: '10.000000' });
    expect((await refund(id, { walletId })).json()).toMatchObject({
      error: 'refund_exceeds_deposit',
    });
  });

  it('what failed or was canceled is left again', async () => {
    const { id: walletId } = await addWallet(harness);
    const id = await come(await ownAddress());
    const first = (await refund(id, { walletId })).json<Shown>();
    await harness.ask({ method: 'POST', url: `/payments/${first.id}/cancel` });
    expect((await refund(id, { walletId })).statusCode).toBe(201);
  });

  it('waits until the deposit is final', async () => {
    const { id: walletId } = await addWallet(harness);
    for (const status of ['SEEN', 'CREDITED'] as const) {
      const id = await come(await ownAddress(), { status });
      const answer = await refund(id, { walletId });
      expect([answer.statusCode, answer.json()]).toMatchObject([
        409,
        { error: 'deposit_not_final' },
      ]);
    }
  });

  it('gives nothing back of what was, or is about to be, paid on', async () => {
    const { id: walletId } = await addWallet(harness);
    const { endUserId } = harness.payer;
    const id = await come(await addAddress({ endUserId, walletId }));
    expect((await refund(id, { walletId })).json()).toMatchObject({ error: 'deposit_not_final' });
    await payOnDeposit(harness.deps, { ...harness.scope, depositId: id });
    expect((await refund(id, { walletId })).json()).toMatchObject({
      error: 'refund_exceeds_deposit',
      details: [{ meta: { left: '0.000000' } }],
    });
  });

  it('goes only to an ACTIVE wallet of the same end-user', async () => {
    const id = await come(await ownAddress());
    const { id: gone } = await addWallet(harness);
    await disableWallet(harness, gone);
    expect((await refund(id, { walletId: gone })).json()).toMatchObject({
      error: 'wallet_not_active',
    });
    const theirs = { endUserId: live.endUserId, walletId: gone };
    expect((await refund(id, theirs)).json()).toMatchObject({ error: 'resource_not_found' });
  });

  it('of your own address goes out in the name of the wallet’s end-user, or of one that is named', async () => {
    const { id: walletId } = await addWallet(harness);
    const { endUserId } = harness.payer;
    const first = await refund(await come(await addAddress()), { walletId });
    expect(first.json()).toMatchObject({ endUserId });
    const body = { network: 'BASE', address: `0x${'6'.repeat(40)}`, ownership: 'SELF_HOSTED' };
    const own = (await harness.ask({ method: 'POST', url: '/wallets', body })).json<Shown>();
    const id = await come(await addAddress());
    expect((await refund(id, { walletId: own.id })).json()).toMatchObject({
      ...{ error: 'validation_failed', details: [{ path: '/endUserId', code: 'required' }] },
    });
    const named = await refund(id, { walletId: own.id, endUserId });
    expect([named.statusCode, named.json()]).toMatchObject([201, { endUserId }]);
  });

  it('moves money: a key needs payments:write, and reading deposits:read', async () => {
    const { customerId } = harness.scope;
    const { token } = await harness.database.db.system((tx) =>
      addApiKey(tx, harness.vault, { customerId, scopes: ['deposits:read', 'deposits:write'] }),
    );
    const id = await come(await ownAddress());
    const { id: walletId } = await addWallet(harness);
    expect((await refund(id, { walletId }, { token })).statusCode).toBe(403);
    expect((await harness.ask({ url: `/deposits/${id}`, token })).statusCode).toBe(200);
    expect((await refund(id, { walletId }, { token: live.token })).statusCode).toBe(404);
  });

  it('is guarded in the database too: no refund row over what is left', async () => {
    const { id: walletId } = await addWallet(harness);
    await fundAsset(harness, 'USDC', 1_000_000_000n);
    const id = await come(await ownAddress());
    const answer = await harness.pay({
      ...{ endUserId: harness.payer.endUserId, walletId, amount: '100.000001', asset: 'USDC' },
    });
    const { customerId } = harness.scope;
    const insert = harness.rows(`INSERT INTO deposit_refunds VALUES ($1, $2, $3, 'test', now())`, [
      answer.json<Shown>().id,
      id,
      customerId,
    ]);
    await expect(insert).rejects.toMatchObject({ constraint: 'refund_within_deposit' });
  });
});
