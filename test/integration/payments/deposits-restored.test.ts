import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { beginRestoreMode, endRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import { payOnDeposit } from '../../../src/modules/onchain/deposits/pay-on-deposit.ts';
import { decideBlockedDeposit } from '../../support/decide-blocked-deposit.ts';
import { hex } from '../../support/deposit-harness.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { publishRates } from '../../support/quoted-harness.ts';
import { bookStandingDeposit, finaliseStandingDeposit } from '../../support/standing-deposit.ts';
import { testSettings } from '../../support/test-app.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';
import {
  addWallet,
  createScriptedChain,
  ENCODERS,
  NETWORKS,
} from '../../support/wallet-payments.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';

const RATES = { EUR: '0.8', USDC: '1' };

/** A rail that executes whatever it is handed, as often as it is, and remembers each reference. */
function createObedientRail(rails: readonly string[]) {
  const chain = createScriptedChain();
  const paid = new Map<string, number>();
  const connector: typeof chain = {
    ...chain,
    name: `obedient ${rails.join(' ')}`,
    capabilities: { rails },
    submit(sent, limit) {
      paid.set(sent.reference, (paid.get(sent.reference) ?? 0) + 1);
      return chain.submit(sent, limit);
    },
  };
  chain.word = { status: 'SETTLED' };
  return { connector, paid };
}

const chain = createObedientRail(['BASE']);
const bank = createObedientRail(['SEPA_INSTANT', 'SEPA']);
const clock = createTestClock(new Date());
let harness: PaymentHarness;
let operators: TwoOperators;
let settle: (paymentId: string, isFirst: boolean) => Promise<{ kind: string; waitMs?: number }>;
beforeAll(async () => {
  const settings = testSettings({ networks: NETWORKS });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS, clock });
  operators = createTwoOperators(harness.database.people, clock, {
    wakePayment: async () => undefined,
  });
  // Every copy has them.
  for (const name of ['ada', 'ben']) await operators.operator(name);
  const { db, corridors, networks } = harness.deps;
  const activities = createPaymentActivities({
    ...{ db, vault: harness.vault, clock, corridors, networks },
    connectors: createConnectorRegistry([
      { environment: 'test', payout: chain.connector, statements: null },
      { environment: 'test', payout: bank.connector, statements: null },
    ]),
    timing: { test: TIMING, live: TIMING },
    screener: harness.screener,
    addressScreening: harness.deps.addressScreening,
    settings: harness.deps.settings,
    onScreeningFailure: () => undefined,
  });
  settle = (paymentId, isFirst) => activities.settle({ ...harness.scope, paymentId, isFirst });
});
beforeEach(() => publishRates(harness, RATES));
afterAll(() => harness.close());

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly onward: { readonly paymentId: string | null } | null;
}

const statusOf = async (id: string) =>
  (await harness.ask({ url: `/payments/${id}` })).json<Shown>().status;

/** What the workflow does, until the rail has said that it is paid. */
async function drive(paymentId: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    const next = await settle(paymentId, step === 0);
    if ((await statusOf(paymentId)) === 'COMPLETED') return;
    clock.advance(next.waitMs ?? 1_000);
  }
  throw new Error(`payment ${paymentId} is ${await statusOf(paymentId)}`);
}

async function addAddress(to: object): Promise<string> {
  const body = { endUserId: harness.payer.endUserId, ...to };
  const answer = await harness.ask({ method: 'POST', url: '/deposit-addresses', body });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Shown>().id;
}

/** Pays a deposit on, as the reconciler does; answers the payment. */
async function payOn(depositId: string): Promise<string> {
  await payOnDeposit(harness.deps, { ...harness.scope, depositId });
  const shown = (await harness.ask({ url: `/deposits/${depositId}` })).json<Shown>();
  return shown.onward?.paymentId ?? '';
}

const act = () => ({
  ...{ actor: { kind: 'OPERATOR', name: 'ada' } as const, at: clock.now(), reason: 'restored' },
});
const begin = () => harness.database.db.system((tx) => beginRestoreMode(tx, act()));
const end = async () => {
  clock.advance(60_000);
  await harness.database.db.system((tx) => endRestoreMode(tx, act()));
  clock.advance(60_000);
};

const sumPaid = () => [...chain.paid.values(), ...bank.paid.values()].reduce((a, b) => a + b, 0);

describe.each([
  ['while restore mode is on', async () => undefined],
  ['once restore mode has ended', end],
])('an older copy of the database reads a deposit again, %s', (_when, pass) => {
  it.each([
    ['an account', () => ({ bankAccountId: harness.payer.bankAccountId })],
    ['a wallet', async () => ({ walletId: (await addWallet(harness)).id })],
  ])('which was paid on to %s: it is paid once in all', async (_where, make) => {
    const addressId = await addAddress(await make());
    const restore = await harness.database.keepCopy();
    const [txHash, minedAt] = [hex(32), clock.now()];
    const before = sumPaid();
    const id = await bookStandingDeposit(harness, addressId, { txHash, minedAt });
    await drive(await payOn(id));
    expect(sumPaid()).toBe(before + 1);

    await restore();
    clock.advance(60_000);
    await begin();
    await pass();
    expect(await bookStandingDeposit(harness, addressId, { txHash, minedAt })).toBe(id);
    await drive(await payOn(id));
    expect(sumPaid()).toBe(before + 1);
    await harness.expectBooksToHold();
    await end();
  });

  it.each([
    ['paid on', () => ({ bankAccountId: harness.payer.bankAccountId })],
    ['refunded', () => ({})],
  ])(
    'which was released from suspense and %s: it is in suspense again, and paid once in all',
    async (how, make) => {
      const isPaidOn = how === 'paid on';
      const { id: walletId } = await addWallet(harness);
      const id = await bookStandingDeposit(harness, await addAddress(make()), {
        status: 'BLOCKED',
      });
      const restore = await harness.database.keepCopy();
      const [before, key] = [sumPaid(), randomUUID()];
      const refund = () =>
        harness.ask({ method: 'POST', url: `/deposits/${id}/refund`, body: { walletId }, key });
      const release = async () => {
        const { people } = harness.database;
        await decideBlockedDeposit({ people, clock, operators }, id, 'RELEASE');
        await finaliseStandingDeposit(harness, id);
        await drive(isPaidOn ? await payOn(id) : (await refund()).json<Shown>().id);
      };
      await release();
      expect(sumPaid()).toBe(before + 1);

      await restore();
      clock.advance(60_000);
      await begin();
      await pass();
      expect((await harness.ask({ url: `/deposits/${id}` })).json()).toMatchObject({
        ...{ status: 'BLOCKED', appliedTo: 'SUSPENSE' },
      });
      // Nothing of it is the customer's.
      if (isPaidOn) expect(await payOn(id)).toBe('');
      else expect((await refund()).json()).toMatchObject({ error: 'refund_exceeds_deposit' });
      expect(sumPaid()).toBe(before + 1);
      await release();
      expect(sumPaid()).toBe(before + 1);
      await harness.expectBooksToHold();
      await end();
    },
  );

  it('which was refunded: the refund that is asked for again is paid once in all', async () => {
    const { id: walletId } = await addWallet(harness);
    const addressId = await addAddress({});
    const restore = await harness.database.keepCopy();
    const [txHash, minedAt] = [hex(32), clock.now()];
    const key = randomUUID();
    const refund = async (id: string) => {
      const url = `/deposits/${id}/refund`;
      const body = { walletId, amount: '40.00' };
      const answer = await harness.ask({ method: 'POST', url, body, key });
      expect(answer.statusCode, answer.body).toBe(201);
      return answer.json<Shown>().id;
    };
    const before = sumPaid();
    const id = await bookStandingDeposit(harness, addressId, { txHash, minedAt });
    await drive(await refund(id));
    expect(sumPaid()).toBe(before + 1);

    await restore();
    clock.advance(60_000);
    await begin();
    await pass();
    await bookStandingDeposit(harness, addressId, { txHash, minedAt });
    await drive(await refund(id));
    expect(sumPaid()).toBe(before + 1);
    await harness.expectBooksToHold();
    await end();
  });
});
