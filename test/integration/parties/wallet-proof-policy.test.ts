import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { createListedNetworks } from '../../../src/domain/onchain/listed-networks.ts';
import {
  NO_PROOF_ASKED,
  type WalletProofPolicy,
} from '../../../src/domain/onchain/wallet-proof-policy.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { publishRates } from '../../support/quoted-harness.ts';
import { someAddress } from '../../support/sample-networks.ts';
import { testSettings } from '../../support/test-app.ts';
import {
  addWallet,
  createScriptedChain,
  disableWallet,
  ENCODERS,
  fundAsset,
  NETWORKS,
  proveWallet,
  toWallet,
  type WalletOverrides,
} from '../../support/wallet-payments.ts';

const DAY_MS = 24 * 3_600_000;
const ASKED: WalletProofPolicy = {
  ...{ from: 100_000n, coolOffMs: 0, rateMaxAgeMs: DAY_MS },
};

const policies = { test: ASKED, live: NO_PROOF_ASKED };
const chain = createScriptedChain();
let harness: PaymentHarness;
beforeAll(async () => {
  const networks = createListedNetworks(NETWORKS, policies);
  const settings = testSettings({ networks: NETWORKS });
  harness = await createPaymentHarness({ settings, networks, encoderFor: ENCODERS });
  for (const asset of ['USDC', 'EURC', 'USDT']) await fundAsset(harness, asset, 1_000_000_000_000n);
});
beforeEach(() => {
  policies.test = ASKED;
});
afterAll(() => harness.close());
// Hooks of the end run from the last to the first.
afterAll(() => harness.expectBooksToHold());

const pay = (walletId: string, amount: string, more: object = {}) =>
  harness.pay(toWallet(harness, walletId, { amount, asset: 'EURC', ...more }));

/** The status, and the code of what was refused. */
async function outcome(walletId: string, amount: string, more: object = {}) {
  const answer = await pay(walletId, amount, more);
  const { error } = answer.json<{ error?: string }>();
  return error === undefined ? answer.statusCode : `${String(answer.statusCode)} ${error}`;
}

const NOT_PROVED = '422 wallet_not_proved';

async function wallet(overrides: WalletOverrides = {}): Promise<string> {
  return (await addWallet(harness, overrides)).id;
}

/** Before any rate is stored. */
describe('without rates', () => {
  it('what cannot be measured needs a proof, and what is held in euro is measured by itself', async () => {
    const id = await wallet();
    expect(await outcome(id, '1.00', { asset: 'USDC' })).toBe(NOT_PROVED);
    expect(await outcome(id, '999.99')).toBe(201);
    await proveWallet(harness, id);
    expect(await outcome(id, '1.00', { asset: 'USDC' })).toBe(201);
  });
});

describe('a wallet whose ownership is not proved', () => {
  beforeAll(() => publishRates(harness, { EUR: '0.8' }));

  it('is paid less than the limit, and not the limit; a proof lifts it', async () => {
    const id = await wallet();
    expect(await outcome(id, '1000.00')).toBe(NOT_PROVED);
    const refused = await pay(id, '5000.00');
    expect(refused.json()).toMatchObject({
      details: [
        {
          ...{ path: '/walletId', code: 'wallet_not_proved' },
          meta: { from: '1000.00', currency: 'EUR', hours: 24 },
        },
      ],
    });
    expect(await outcome(id, '999.999999')).toBe(201);
    await proveWallet(harness, id);
    expect(await outcome(id, '40000.00')).toBe(201);
  });

  it('is measured in euro by the stored rates', async () => {
    const id = await wallet();
    expect(await outcome(id, '1250.00', { asset: 'USDC' })).toBe(NOT_PROVED);
    expect(await outcome(id, '1249.99', { asset: 'USDC' })).toBe(201);
  });

  it('the same is said without an effect', async () => {
    const id = await wallet();
    const body = toWallet(harness, id, { amount: '1000.00', asset: 'EURC' });
    for (const _time of [1, 2]) {
      const answer = await harness.ask({ method: 'POST', url: '/payments/validate', body });
      expect(answer.json()).toMatchObject({
        ...{ valid: false, problems: [{ path: '/walletId', code: 'wallet_not_proved' }] },
      });
    }
    expect(await outcome(id, '999.00')).toBe(201);
  });

  it('of a provider is paid any amount: the provider answers for its customer', async () => {
    expect(await outcome(await wallet({ ownership: 'HOSTED' }), '5000.00')).toBe(201);
  });

  it("is asked for of the customer's own too", async () => {
    expect(await outcome(await wallet({ endUserId: null }), '1000.00')).toBe(NOT_PROVED);
  });
});

describe('many payments just below the limit', () => {
  it('count together for 24 hours, in whichever asset', async () => {
    const id = await wallet();
    expect(await outcome(id, '600.00')).toBe(201);
    expect(await outcome(id, '500.00', { asset: 'USDC' })).toBe(NOT_PROVED);
    expect(await outcome(id, '499.99', { asset: 'USDC' })).toBe(201);
    harness.clock.advance(DAY_MS - 1);
    expect(await outcome(id, '10.00')).toBe(NOT_PROVED);
    harness.clock.advance(1);
    expect(await outcome(id, '10.00')).toBe(201);
  });

  it("to one address, registered again, for the customer's own and on another network", async () => {
    await publishRates(harness, { EUR: '0.8' });
    const address = someAddress();
    const first = await wallet({ address });
    expect(await outcome(first, '900.00')).toBe(201);
    await disableWallet(harness, first);
    expect(await outcome(await wallet({ address }), '100.00')).toBe(NOT_PROVED);
    expect(await outcome(await wallet({ address, endUserId: null }), '100.00')).toBe(NOT_PROVED);
    const elsewhere = await wallet({ address, network: 'ETHEREUM' });
    expect(await outcome(elsewhere, '125.00', { asset: 'USDT' })).toBe(NOT_PROVED);
    expect(await outcome(elsewhere, '124.00', { asset: 'USDT' })).toBe(201);
  });

  it('that are canceled do not count', async () => {
    const id = await wallet();
    const { id: paymentId } = (await pay(id, '900.00')).json<{ id: string }>();
    expect(await outcome(id, '100.00')).toBe(NOT_PROVED);
    const canceled = await harness.ask({ method: 'POST', url: `/payments/${paymentId}/cancel` });
    expect(canceled.statusCode, canceled.body).toBe(200);
    expect(await outcome(id, '100.00')).toBe(201);
  });

  it('sent at once are not more than sent one after another', async () => {
    const id = await wallet();
    const answers = await Promise.all(
      ['EURC', 'EURC', 'USDC', 'EURC', 'USDC', 'EURC'].map((asset) =>
        pay(id, asset === 'EURC' ? '400.00' : '500.00', { asset }),
      ),
    );
    const accepted = answers.filter(({ statusCode }) => statusCode === 201);
    expect(accepted.length, answers.map(({ body }) => body).join('\n')).toBe(2);
  });
});

describe('a cool-off', () => {
  it('lets no wallet be paid before it is over, proved or not', async () => {
    policies.test = { ...NO_PROOF_ASKED, coolOffMs: 2 * 3_600_000 };
    const id = await wallet();
    await proveWallet(harness, id);
    const from = new Date(harness.clock.now().getTime() + 2 * 3_600_000).toISOString();
    harness.clock.advance(2 * 3_600_000 - 1);
    expect((await pay(id, '1.00')).json()).toMatchObject({
      error: 'wallet_cooling_off',
      details: [{ path: '/walletId', code: 'wallet_cooling_off', meta: { from } }],
    });
    harness.clock.advance(1);
    expect(await outcome(id, '1.00')).toBe(201);
  });
});

describe('before money leaves', () => {
  const settle = (paymentId: string, isFirst: boolean) => {
    const { db, vault, clock, corridors, networks, addressScreening, settings } = harness.deps;
    const activities = createPaymentActivities({
      ...{ db, vault, clock, corridors, networks, addressScreening, settings },
      connectors: createConnectorRegistry([
        { environment: 'test', payout: chain, statements: null },
      ]),
      timing: { test: TIMING, live: TIMING },
      screener: harness.screener,
      onScreeningFailure: () => undefined,
    });
    return activities.settle({ ...harness.scope, paymentId, isFirst });
  };
  const sent = () => chain.orders.size;
  beforeEach(() => chain.orders.clear());

  it('what was accepted and needs a proof by now waits for it, and leaves with it', async () => {
    policies.test = NO_PROOF_ASKED;
    const id = await wallet();
    const ids: string[] = [];
    for (const amount of ['600.00', '399.99', '0.01']) {
      harness.clock.advance(1);
      const answer = await pay(id, amount === '0.01' ? '1.00' : amount);
      expect(answer.statusCode, answer.body).toBe(201);
      ids.push(answer.json<{ id: string }>().id);
    }
    policies.test = ASKED;
    const [first = '', second = '', third = ''] = ids;
    await settle(first, true);
    await settle(second, true);
    expect(sent()).toBe(2);
    expect(await settle(third, true)).toMatchObject({ kind: 'WAIT' });
    expect((await harness.ask({ url: `/payments/${third}` })).json()).toMatchObject({
      ...{ status: 'ON_HOLD', statusDetail: 'WALLET_NOT_PROVED' },
    });
    expect(sent()).toBe(2);
    await proveWallet(harness, id);
    await settle(third, false);
    expect(sent()).toBe(3);
  });
});
