import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createListedNetworks } from '../../../src/domain/onchain/listed-networks.ts';
import { forwarderAddress } from '../../../src/domain/onchain/create2.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type Payer,
} from '../../support/payment-harness.ts';
import { SAMPLE_LIVE_NETWORK, SAMPLE_NETWORK, someAddress } from '../../support/sample-networks.ts';
import { testSettings } from '../../support/test-app.ts';
import { addApiKey } from '../../support/test-customer.ts';
import { createErasureHarness } from '../../support/parties/erasure-harness.ts';
import { addRecipient } from '../../support/add-recipient.ts';
import { closeEndUser } from '../../support/close-end-user.ts';

const YEARS_5_MS = 1827 * 24 * 3_600_000;

let harness: PaymentHarness;
let live: Payer;
beforeAll(async () => {
  harness = await createPaymentHarness();
  live = await harness.addPayer({ ...harness.scope, environment: 'live' });
});
afterAll(() => harness.close());

interface Shown {
  readonly id: string;
  readonly address: string;
}

const add = (body: object = {}, by: { token?: string; key?: string } = {}) =>
  harness.ask({ method: 'POST', url: '/deposit-addresses', body, ...by });
const disable = (id: string, token?: string) =>
  harness.ask({
    ...{ method: 'POST', url: `/deposit-addresses/${id}/disable` },
    ...(token === undefined ? {} : { token }),
  });
const eventsOf = async (id: string) => {
  const rows = await harness.rows<{ told: string }>(
    `SELECT resource_version || ' ' || type AS told FROM events WHERE resource_id = $1 ORDER BY seq`,
    [id],
  );
  return rows.map(({ told }) => told);
};
const addWallet = async (endUserId: string) => {
  const order = { endUserId, network: 'BASE', address: someAddress(), ownership: 'SELF_HOSTED' };
  const answer = await harness.ask({ method: 'POST', url: '/wallets', body: order });
  return answer.json<Shown>().id;
};

describe('POST /deposit-addresses', () => {
  it('makes an address that follows from its id, the same on every network', async () => {
    const { endUserId, bankAccountId } = harness.payer;
    const answer = await add({ endUserId, bankAccountId, minAmount: '2.5' });
    expect(answer.statusCode, answer.body).toBe(201);
    const made = answer.json<Shown>();
    expect(made).toMatchObject({
      ...{ endUserId, bankAccountId, walletId: null, minAmount: '2.500000', status: 'ACTIVE' },
      ...{ version: 1, networks: [{ network: 'BASE', assets: ['USDC'] }] },
    });
    expect(made.address).toBe(forwarderAddress(SAMPLE_NETWORK.factory, 'test', made.id));
    expect(await eventsOf(made.id)).toEqual(['1 deposit_address.created']);
    const shown = await harness.ask({ url: `/deposit-addresses/${made.id}` });
    expect(shown.json()).toEqual(made);
    await harness.expectBooksToHold();
  });

  it('takes a wallet in the place of an account, or neither, and may be your own', async () => {
    const { endUserId } = harness.payer;
    const walletId = await addWallet(endUserId);
    expect((await add({ endUserId, walletId })).json()).toMatchObject({ walletId });
    const own = (await add()).json();
    expect(own).toMatchObject({ endUserId: null, bankAccountId: null, walletId: null });
    expect(own).toMatchObject({ minAmount: '0.000000' });
  });

  it('makes one address under one Idempotency-Key, however the amount is written', async () => {
    const first = await add({ minAmount: '3' }, { key: 'a deposit address' });
    const again = await add({ minAmount: '3.00' }, { key: 'a deposit address' });
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect((await add({ minAmount: '3' })).json<Shown>().id).not.toBe(first.json<Shown>().id);
  });

  it('is another address in live', async () => {
    const made = (await add({}, { token: live.token })).json<Shown>();
    expect(made.address).toBe(forwarderAddress(SAMPLE_LIVE_NETWORK.factory, 'live', made.id));
  });

  it('refuses what could never be paid on, and names the field', async () => {
    const { endUserId, bankAccountId } = harness.payer;
    const walletId = await addWallet(endUserId);
    const gone = await addWallet(endUserId);
    await harness.ask({ method: 'POST', url: `/wallets/${gone}/disable` });
    const other = await addRecipient(harness);
    const cases: [object, number, string, string][] = [
      [{ bankAccountId }, 400, 'validation_failed', '/endUserId'],
      [{ endUserId, bankAccountId, walletId }, 400, 'validation_failed', '/walletId'],
      [{ endUserId: other.endUserId, bankAccountId }, 422, 'resource_not_found', '/bankAccountId'],
      [{ endUserId: other.endUserId, walletId }, 422, 'resource_not_found', '/walletId'],
      [{ endUserId: live.endUserId }, 422, 'resource_not_found', '/endUserId'],
      [{ endUserId, walletId: gone }, 422, 'wallet_not_active', '/walletId'],
      [{ minAmount: '1.0000001' }, 400, 'amount_precision_exceeded', '/minAmount'],
      [{ minAmount: '0' }, 400, 'validation_failed', '/minAmount'],
    ];
    const before = await harness.rows('SELECT FROM deposit_addresses');
    for (const [body, status, error, path] of cases) {
      const answer = await add(body);
      expect([answer.statusCode, answer.json()]).toMatchObject([
        status,
        { error, details: [{ path }] },
      ]);
    }
    expect(await harness.rows('SELECT FROM deposit_addresses')).toEqual(before);
  });

  it('refuses an end-user who is closed', async () => {
    const { endUserId } = await addRecipient(harness);
    const { database, scope, clock } = harness;
    await closeEndUser(database.db, scope, endUserId, clock.now());
    expect((await add({ endUserId })).json()).toMatchObject({ error: 'end_user_not_active' });
  });

  it('without a network nothing could come: corridor_unavailable', async () => {
    const none = { test: [], live: [] };
    const bare = await createPaymentHarness({
      settings: testSettings({ networks: none }),
      networks: createListedNetworks(none),
    });
    const answer = await bare.ask({ method: 'POST', url: '/deposit-addresses', body: {} });
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      { error: 'corridor_unavailable' },
    ]);
    await bare.close();
  });

  it('wants deposits:write, reading deposits:read', async () => {
    const { customerId } = harness.scope;
    const { token } = await harness.database.db.system((tx) =>
      addApiKey(tx, harness.vault, { customerId, scopes: ['deposits:read'] }),
    );
    expect((await add({}, { token })).statusCode).toBe(403);
    expect((await harness.ask({ url: '/deposit-addresses', token })).statusCode).toBe(200);
  });
});

describe('GET /deposit-addresses', () => {
  it('lists by end-user and status, newest first', async () => {
    const { endUserId } = await addRecipient(harness);
    const ids = [
      (await add({ endUserId })).json<Shown>().id,
      (await add({ endUserId })).json<Shown>().id,
    ];
    await disable(ids[0] ?? '');
    const list = async (query: string) => {
      const answer = await harness.ask({ url: `/deposit-addresses?${query}` });
      return answer.json<{ data: Shown[] }>().data.map(({ id }) => id);
    };
    expect(await list(`endUserId=${endUserId}`)).toEqual([...ids].reverse());
    expect(await list(`endUserId=${endUserId}&status=DISABLED`)).toEqual([ids[0]]);
  });
});

describe('POST /deposit-addresses/{id}/disable', () => {
  it('is for good and the same however often', async () => {
    const { id } = (await add()).json<Shown>();
    const answers = await Promise.all(Array.from({ length: 5 }, () => disable(id)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(answers[0]?.json()).toMatchObject({ status: 'DISABLED', version: 2 });
    expect(await eventsOf(id)).toEqual(['1 deposit_address.created', '2 deposit_address.disabled']);
    await harness.expectBooksToHold();
  });
});

describe('the deposit addresses of an end-user who is erased', () => {
  it('are disabled, and told', async () => {
    const erasure = await createErasureHarness();
    const { endUserId } = await addRecipient(erasure);
    const body = { endUserId };
    const made = await erasure.ask({ method: 'POST', url: '/deposit-addresses', body });
    const { id } = made.json<Shown>();
    await erasure.closeEndUser(endUserId);
    erasure.clock.advance(YEARS_5_MS);
    const erased = await erasure.erase(endUserId);
    expect(erased.statusCode, erased.body).toBeLessThan(300);
    const shown = await erasure.ask({ url: `/deposit-addresses/${id}` });
    expect(shown.json()).toMatchObject({ status: 'DISABLED', version: 2 });
    await erasure.expectBooksToHold();
    await erasure.close();
  });
});
