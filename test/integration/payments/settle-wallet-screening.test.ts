import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import type { PaymentStep } from '../../../src/domain/payments/next-step.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import type { AskAddress } from '../../../src/domain/parties/screening/address-screening.ts';
import { ScreeningError } from '../../../src/domain/parties/screening/screening-provider.ts';
import { askSandboxAddresses } from '../../../src/adapters/screening/sandbox-addresses.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { someAddress } from '../../support/sample-networks.ts';
import {
  createScriptedChain,
  ENCODERS,
  fundAsset,
  toWallet,
} from '../../support/wallet-payments.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';

const DAY_MS = 24 * 3_600_000;

const chain = createScriptedChain();
/** What the provider does at a release. */
let ask: AskAddress = askSandboxAddresses;
let asked: string[] = [];

let harness: PaymentHarness;
let settle: (paymentId: string, isFirst?: boolean) => Promise<PaymentStep>;
beforeAll(async () => {
  harness = await createPaymentHarness({ encoderFor: ENCODERS });
  await fundAsset(harness, 'USDC', 10_000_000_000n);
  const { db, vault, clock, corridors, networks } = harness.deps;
  const activities = createPaymentActivities({
    ...{ db, vault, clock, corridors, networks },
    connectors: createConnectorRegistry([{ environment: 'test', payout: chain, statements: null }]),
    timing: { test: TIMING, live: TIMING },
    screener: harness.screener,
    addressScreening: {
      test(question) {
        asked.push(`${question.reason} ${question.address}`);
        return ask(question);
      },
    },
    settings: harness.deps.settings,
    onScreeningFailure: () => undefined,
  });
  settle = (paymentId, isFirst = true) =>
    activities.settle({ ...harness.scope, paymentId, isFirst });
});
afterAll(() => harness.close());
beforeEach(() => {
  ask = askSandboxAddresses;
  asked = [];
  chain.orders.clear();
  chain.word = { status: 'ACCEPTED' };
});

interface Wallet {
  readonly id: string;
  readonly address: string;
}

async function addWallet(end?: string): Promise<Wallet> {
  const address = end === undefined ? someAddress() : someAddress().slice(0, -end.length) + end;
  const answer = await harness.ask({
    ...{ method: 'POST', url: '/wallets' },
    body: {
      ...{ endUserId: harness.payer.endUserId, network: 'BASE', address },
      ownership: 'SELF_HOSTED',
    },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<Wallet>();
}

async function pay({ id }: Wallet): Promise<string> {
  const answer = await harness.pay(toWallet(harness, id));
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>().id;
}

const shown = async (url: string) => (await harness.ask({ url })).json<object>();

describe('before money leaves for a wallet', () => {
  it('its address is looked up, whatever was found when it was registered', async () => {
    const wallet = await addWallet();
    await settle(await pay(wallet));
    expect([asked, chain.orders.size]).toEqual([[`RELEASE ${wallet.address}`], 1]);
  });

  it('once a day, however many payments', async () => {
    const wallet = await addWallet();
    await settle(await pay(wallet));
    await settle(await pay(wallet));
    expect([asked.length, chain.orders.size]).toEqual([1, 2]);
    harness.clock.advance(DAY_MS - 1);
    await settle(await pay(wallet));
    expect([asked.length, chain.orders.size]).toEqual([1, 3]);
    harness.clock.advance(1);
    await settle(await pay(wallet));
    expect([asked.length, chain.orders.size]).toEqual([2, 4]);
  });

  it('an address that is on a list by then holds the payment, and every later one is refused', async () => {
    const wallet = await addWallet('bad2');
    const [first, second] = [await pay(wallet), await pay(wallet)];
    for (const id of [first, second, first]) {
      expect(await settle(id)).toMatchObject({ kind: 'WAIT', needsHuman: true });
      expect(await shown(`/payments/${id}`)).toMatchObject({
        ...{ status: 'ON_HOLD', statusDetail: 'COMPLIANCE_REVIEW' },
      });
    }
    expect([asked.length, chain.orders.size]).toEqual([1, 0]);
    expect(await shown(`/wallets/${wallet.id}`)).toMatchObject({ status: 'REJECTED', version: 3 });
    const later = await harness.pay(toWallet(harness, wallet.id));
    expect([later.statusCode, later.json<{ error: string }>().error]).toEqual([
      ...[422, 'wallet_not_active'],
    ]);
    await harness.expectBooksToHold();
  });

  it('one under review holds it until it is found clear', async () => {
    const wallet = await addWallet();
    const id = await pay(wallet);
    ask = async () => ({ verdict: 'REVIEW', listVersion: 'sample-1' });
    expect(await settle(id)).toMatchObject({ kind: 'WAIT', needsHuman: true });
    expect(await shown(`/payments/${id}`)).toMatchObject({ statusDetail: 'COMPLIANCE_REVIEW' });
    expect(await shown(`/wallets/${wallet.id}`)).toMatchObject({ status: 'ACTIVE', version: 2 });
    expect(chain.orders.size).toBe(0);
  });

  it('a provider that is silent lets nothing leave, and nothing fail', async () => {
    const id = await pay(await addWallet());
    ask = () => Promise.reject(new ScreeningError('SCREENING_UNREACHABLE'));
    await expect(settle(id)).rejects.toThrow();
    expect(await shown(`/payments/${id}`)).toMatchObject({ status: 'PROCESSING' });
    expect(chain.orders.size).toBe(0);
    ask = askSandboxAddresses;
    await settle(id, false);
    expect(chain.orders.size).toBe(1);
  });

  it('a wallet that is disabled while it is looked up is not paid', async () => {
    const wallet = await addWallet();
    const id = await pay(wallet);
    ask = async (question) => {
      await harness.ask({ method: 'POST', url: `/wallets/${wallet.id}/disable` });
      return askSandboxAddresses(question);
    };
    await settle(id);
    expect(await shown(`/payments/${id}`)).toMatchObject({
      ...{ status: 'ON_HOLD', statusDetail: 'WALLET_NOT_ACTIVE' },
    });
    expect(chain.orders.size).toBe(0);
  });
});
