import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import type { PaymentStep } from '../../../src/domain/payments/next-step.ts';
import { createHttpBank } from '../../../src/adapters/http-bank/http-bank.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { findPayment } from '../../../src/db/payments/payment-store.ts';
import { readAttempts } from '../../../src/db/payments/settlement-attempt-store.ts';
import { CHAIN_ASK_MS } from '../../../src/domain/payments/settle-by-answer.ts';
import { proposeConfirmation } from '../../../src/modules/payments/confirm-outcome.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { publishRates, RATES } from '../../support/quoted-harness.ts';
import { createTwoOperators } from '../../support/two-operators.ts';
import { signedCallback } from '../../support/signed-callback.ts';
import { testSettings } from '../../support/test-app.ts';
import {
  addWallet,
  createScriptedChain,
  disableWallet,
  ENCODERS,
  fundAsset,
  hashOf,
  NETWORKS,
  toWallet,
} from '../../support/wallet-payments.ts';
import { startScriptedBank, type ScriptedBank } from '../../support/payments/scripted-bank.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const chain = createScriptedChain();
let harness: PaymentHarness;
let bank: ScriptedBank;
let settle: (paymentId: string, isFirst?: boolean) => Promise<PaymentStep>;
beforeAll(async () => {
  const settings = testSettings({ networks: NETWORKS, bankCallbackSecrets: { test: SECRET } });
  harness = await createPaymentHarness({ settings, encoderFor: ENCODERS });
  bank = await startScriptedBank();
  await fundAsset(harness, 'USDC', 10_000_000_000n);
  await publishRates(harness, { ...RATES, USDC: '1' });
  const { db, corridors, networks } = harness.deps;
  const payout = createHttpBank({ baseUrl: bank.url, name: 'http-bank' });
  const activities = createPaymentActivities({
    ...{ db, vault: harness.vault, clock: harness.clock, corridors, networks },
    // The bank comes first, and says that it pays over every rail.
    connectors: createConnectorRegistry([
      { environment: 'test', payout, statements: null },
      { environment: 'test', payout: chain, statements: null },
    ]),
    timing: { test: TIMING, live: TIMING },
    screener: harness.screener,
    addressScreening: harness.deps.addressScreening,
    settings: harness.deps.settings,
    onScreeningFailure: () => undefined,
  });
  settle = (paymentId, isFirst = false) =>
    activities.settle({ ...harness.scope, paymentId, isFirst });
});
beforeEach(() => {
  chain.word = { status: 'ACCEPTED' };
});
afterEach(async () => {
  expect(bank.calls).toEqual([]);
});
afterAll(async () => {
  await harness.expectBooksToHold();
  await bank.close();
  await harness.close();
});

async function ordered(overrides: object = {}) {
  const wallet = await addWallet(harness);
  const answer = await harness.pay(toWallet(harness, wallet.id, overrides));
  expect(answer.statusCode, answer.body).toBe(201);
  return { wallet, id: answer.json<{ id: string }>().id };
}

const tell = (id: string) =>
  harness.deps.db.read(harness.scope, async (tx) => {
    const payment = await findPayment(tx, harness.scope, id);
    const [attempt] = await readAttempts(tx, harness.scope, id);
    if (payment === null || attempt === undefined) throw new Error('the payment is gone');
    return { ...payment, reference: attempt.reference, phase: attempt.phase };
  });
const shown = async (id: string) => (await harness.ask({ url: `/payments/${id}` })).json<object>();
const entries = (id: string) =>
  harness.rows<{ kind: string; account: string; currency: string; amount: string }>(
    `SELECT t.kind, e.account, e.currency, e.amount::text FROM ledger_entries e
     JOIN ledger_transactions t ON t.id = e.transaction_id WHERE t.payment_id = $1
     ORDER BY t.seq, e.line`,
    [id],
  );
/** Asked again when the time has come. */
async function askedAgain(id: string) {
  harness.clock.advance(CHAIN_ASK_MS);
  await settle(id);
  return tell(id);
}

describe('a payment to a wallet leaves over its network', () => {
  it('the rail is told of amount, asset, network and address, and no bank of anything', async () => {
    const { wallet, id } = await ordered();
    await settle(id, true);
    const { reference } = await tell(id);
    expect(JSON.parse(chain.orders.get(reference) ?? '')).toEqual({
      ...{ reference, amount: '25.000000', asset: 'USDC' },
      ...{ network: 'BASE', address: wallet.address },
    });
    expect(await shown(id)).toMatchObject({
      ...{ status: 'SENT', statusDetail: 'IN_RAIL', preliminary: true },
      references: [
        { type: 'END_TO_END_ID', value: reference },
        { type: 'TX_HASH', value: hashOf(reference) },
      ],
    });
  });

  it('another transaction in its place replaces the hash that is shown', async () => {
    const { id } = await ordered();
    await settle(id, true);
    const hash = `0x${'ab'.repeat(32)}`;
    chain.word = { status: 'SETTLED', bankReference: hash };
    const { refs, status } = await askedAgain(id);
    expect(status).toBe('COMPLETED');
    expect(refs.filter(({ type }) => type === 'TX_HASH')).toEqual([
      { type: 'TX_HASH', value: hash },
    ]);
  });

  it('completed, it settles against the network, and stays preliminary', async () => {
    chain.word = { status: 'SETTLED' };
    const { id } = await ordered();
    await settle(id, true);
    expect(await entries(id)).toEqual([
      { kind: 'HOLD', account: 'available', currency: 'USDC', amount: '-25000000' },
      { kind: 'HOLD', account: 'reserved', currency: 'USDC', amount: '25000000' },
      { kind: 'SETTLE', account: 'reserved', currency: 'USDC', amount: '-25000000' },
      { kind: 'SETTLE', account: 'nostro:BASE', currency: 'USDC', amount: '25000000' },
    ]);
    expect(await shown(id)).toMatchObject({
      ...{
        status: 'COMPLETED',
        preliminary: true,
        finality: { state: 'PROVISIONAL', dueAt: null },
      },
    });
  });

  it('from euros, both currencies go through our position and sum to zero', async () => {
    chain.word = { status: 'SETTLED' };
    const { id } = await ordered({ sourceCurrency: 'EUR' });
    await settle(id, true);
    const { sourceAmount, fees } = await tell(id);
    expect(fees).toEqual([]);
    const settled = (await entries(id)).filter(({ kind }) => kind === 'SETTLE');
    expect(settled.map(({ account, currency, amount }) => [account, currency, amount])).toEqual([
      ['reserved', 'EUR', (-sourceAmount).toString()],
      ['fx', 'EUR', sourceAmount.toString()],
      ['fx', 'USDC', '-25000000'],
      ['nostro:BASE', 'USDC', '25000000'],
    ]);
  });

  it.each(['VOIDED', 'REVERTED'] as const)('%s: the funds are back', async (reason) => {
    const before = await harness.balance('USDC');
    const { id } = await ordered();
    await settle(id, true);
    chain.word = { status: 'REJECTED', reason };
    await askedAgain(id);
    expect(await shown(id)).toMatchObject({
      ...{ status: 'FAILED', statusDetail: reason, fundsStatus: 'BACK_IN_BALANCE' },
      failure: { code: `transfer_${reason.toLowerCase()}`, railCode: reason },
    });
    expect(await harness.balance('USDC')).toEqual(before);
  });

  it('what it waits for is shown once, and again SENT when it goes on', async () => {
    chain.word = { status: 'ACCEPTED', reason: 'NETWORK_CONGESTED', bankReference: null };
    const { id } = await ordered();
    await settle(id, true);
    expect(await tell(id)).toMatchObject({
      status: 'PROCESSING',
      statusDetail: 'NETWORK_CONGESTED',
    });
    chain.word = { status: 'ACCEPTED', reason: 'AWAITING_LIQUIDITY', bankReference: null };
    const held = await askedAgain(id);
    expect(held).toMatchObject({ status: 'ON_HOLD', statusDetail: 'AWAITING_LIQUIDITY' });
    expect((await askedAgain(id)).version).toBe(held.version);
    const timeline = await harness.ask({ url: `/payments/${id}/timeline` });
    expect(timeline.json<{ data: object[] }>().data.at(-1)).toMatchObject({
      ...{ expected: true, waitsFor: 'OPERATOR', status: 'SENT' },
    });
    chain.word = { status: 'ACCEPTED' };
    expect(await askedAgain(id)).toMatchObject({ status: 'SENT', statusDetail: 'IN_RAIL' });
    expect((await harness.ask({ url: `/payments/${id}/timeline` })).json()).toMatchObject({
      data: expect.arrayContaining([
        expect.objectContaining({ expected: true, waitsFor: 'NETWORK', status: 'COMPLETED' }),
      ]),
    });
  });
});

describe('a payment to a wallet stays here', () => {
  it('where the wallet was disabled meanwhile', async () => {
    const { wallet, id } = await ordered();
    await disableWallet(harness, wallet.id);
    await settle(id, true);
    expect(await tell(id)).toMatchObject({
      ...{ status: 'ON_HOLD', statusDetail: 'WALLET_NOT_ACTIVE', phase: 'READY' },
    });
    const cancel = { method: 'POST', url: `/payments/${id}/cancel`, key: randomUUID() } as const;
    expect((await harness.ask(cancel)).json()).toMatchObject({ status: 'CANCELED' });
  });
});

describe("a bank's word about a payment to a wallet", () => {
  const callback = async (reference: string, status: string) => {
    const body = JSON.stringify({
      ...{ reference, status, bankReference: 'B-1', at: '2026-09-29T12:00:00Z' },
    });
    const timestampSeconds = Math.floor(harness.clock.now().getTime() / 1_000);
    const id = `msg_${randomUUID()}`;
    const signed = signedCallback(SECRET, { id, timestampSeconds, body });
    return (await harness.app.inject({ ...signed, payload: body })).statusCode;
  };

  it.each(['SETTLED', 'REJECTED', 'RETURNED'])(
    '%s in a signed callback moves nothing, and is kept as of an unknown reference',
    async (status) => {
      const { id } = await ordered();
      await settle(id, true);
      const before = await tell(id);
      expect(await callback(before.reference, status)).toBe(202);
      expect((await askedAgain(id)).version).toBe(before.version);
      expect(
        await harness.rows(
          'SELECT payment_id, customer_id, status FROM transfer_reports WHERE reference = $1',
          [before.reference],
        ),
      ).toEqual([{ payment_id: null, customer_id: null, status }]);
    },
  );

  it('is refused by the database, from whichever code it comes', async () => {
    const { id } = await ordered();
    const { reference } = await tell(id);
    for (const source of ['CALLBACK', 'STATEMENT']) {
      await expect(
        harness.rows(
          `INSERT INTO transfer_reports (customer_id, environment, payment_id, reference, source,
             report_id, status, received_at)
           VALUES ($1, 'test', $2, $3, $4, 'forged', 'SETTLED', now())`,
          [harness.scope.customerId, id, reference, source],
        ),
      ).rejects.toMatchObject({ constraint: 'no_bank_reports_on_wallets' });
    }
  });
});

describe('what became of a payment to a wallet', () => {
  it('is not what operators say', async () => {
    const { id } = await ordered();
    await settle(id, true);
    const { reference } = await tell(id);
    const operators = createTwoOperators(harness.database.people, harness.clock);
    const act = {
      ...{ operator: await operators.operator('ada', 'OPERATIONS'), reason: 'they phoned' },
    };
    const said = { outcome: 'SETTLED', reference, bankReference: null, evidence: 'C-1' } as const;
    await expect(proposeConfirmation(operators.deps, harness.scope, id, said, act)).rejects.toThrow(
      'The mined transaction decides its outcome',
    );
  });

  it('nor what the database would take from them', async () => {
    const { id } = await ordered();
    await expect(
      harness.rows(
        `UPDATE settlement_attempts SET confirmed_by = 'apr_forged' WHERE payment_id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ code: '23514' });
  });
});
