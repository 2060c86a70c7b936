import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import type { PaymentStep } from '../../../src/domain/payments/next-step.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { findWalletReview, listOpenReviews } from '../../../src/db/parties/wallet-review-store.ts';
import type { WalletReviewRow } from '../../../src/db/parties/wallet-review-store.ts';
import type { AskAddress } from '../../../src/domain/parties/screening/address-screening.ts';
import { endReviews } from '../../../src/modules/parties/wallets/end-reviews.ts';
import {
  refuseWallet,
  rejectReviewed,
} from '../../../src/modules/parties/wallets/refuse-wallet.ts';
import { proposeWalletRelease } from '../../../src/modules/parties/wallets/release-wallet.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';
import {
  createScriptedChain,
  ENCODERS,
  fundAsset,
  toWallet,
} from '../../support/wallet-payments.ts';
import { someAddress } from '../../support/sample-networks.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';

const DAY_MS = 24 * 3_600_000;
const chain = createScriptedChain();
const CLEAR: AskAddress = async () => ({ verdict: 'CLEAR', listVersion: 'l1' });
const found =
  (listVersion: string, match?: string, verdict: 'REVIEW' | 'BLOCKED' = 'REVIEW'): AskAddress =>
  async () => ({ verdict, listVersion, ...(match !== undefined && { match }) });

let ask: AskAddress = CLEAR;
let harness: PaymentHarness;
let operators: TwoOperators;
let wakes: string[] = [];
let settle: (paymentId: string) => Promise<PaymentStep>;
beforeAll(async () => {
  const lookUp: AskAddress = (question) => ask(question);
  harness = await createPaymentHarness({
    encoderFor: ENCODERS,
    addressScreening: { test: lookUp },
  });
  await fundAsset(harness, 'USDC', 10_000_000_000n);
  const { db, vault, clock, corridors, networks } = harness.deps;
  const activities = createPaymentActivities({
    ...{ db, vault, clock, corridors, networks },
    connectors: createConnectorRegistry([{ environment: 'test', payout: chain, statements: null }]),
    timing: { test: TIMING, live: TIMING },
    screener: harness.screener,
    addressScreening: { test: lookUp },
    settings: harness.deps.settings,
    onScreeningFailure: () => undefined,
  });
  settle = (paymentId) => activities.settle({ ...harness.scope, paymentId, isFirst: true });
  operators = createTwoOperators(harness.database.people, harness.clock, {
    wakePayment: async (_workflowId, { paymentId }) => {
      await Promise.resolve();
      wakes.push(paymentId);
    },
  });
});
afterAll(() => harness.close());
beforeEach(() => {
  ask = CLEAR;
  wakes = [];
  chain.orders.clear();
  chain.word = { status: 'ACCEPTED' };
});

async function addWallet(address = someAddress()): Promise<string> {
  const answer = await harness.ask({
    ...{ method: 'POST', url: '/wallets' },
    body: {
      ...{ endUserId: harness.payer.endUserId, network: 'BASE', address },
      ownership: 'SELF_HOSTED',
    },
  });
  expect([200, 201], answer.body).toContain(answer.statusCode);
  return answer.json<{ id: string }>().id;
}
async function pay(walletId: string): Promise<string> {
  const answer = await harness.pay(toWallet(harness, walletId));
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json<{ id: string }>().id;
}
const shown = async (url: string) =>
  (await harness.ask({ url })).json<{ status: string; statusDetail?: string }>();
const system: PaymentHarness['database']['db']['system'] = (work) =>
  harness.database.people.system(work);
async function openReviewOf(walletId: string): Promise<WalletReviewRow> {
  const open = await system((tx) => listOpenReviews(tx, null, 1000));
  const own = open.filter((one) => one.walletId === walletId);
  expect(own).toHaveLength(1);
  return own[0]!;
}
const again = (row: WalletReviewRow) => system((tx) => findWalletReview(tx, row.id));
const acting = () => ({ db: harness.database.people, clock: harness.clock });
const ending = () => ({
  ...{ db: harness.deps.db, clock: harness.clock },
  onFault: (_id: string, error: unknown): never => {
    throw error;
  },
});

async function propose(row: WalletReviewRow): Promise<string> {
  const operator = await operators.operator('ada');
  const id = await proposeWalletRelease(acting(), row, { operator, reason: 'another owner' });
  return id ?? '';
}
const refuse = async (row: WalletReviewRow) =>
  refuseWallet(acting(), row, { operator: await operators.operator('ada'), reason: 'listed' });

/** A wallet that is ACTIVE, and a payment to it that is held by what was found at the release. */
async function addHeld(finding = found('l1')) {
  const walletId = await addWallet();
  const paymentId = await pay(walletId);
  ask = finding;
  await settle(paymentId);
  expect(await shown(`/payments/${paymentId}`)).toMatchObject({
    statusDetail: 'COMPLIANCE_REVIEW',
  });
  return { walletId, paymentId, review: await openReviewOf(walletId) };
}

describe('a wallet under review', () => {
  it('becomes ACTIVE when two operators release it, and is looked up again before it is paid', async () => {
    const address = someAddress();
    ask = found('l1', 'entry-1');
    const walletId = await addWallet(address);
    const review = await openReviewOf(walletId);
    expect(review).toMatchObject({ verdict: 'REVIEW', match: 'entry-1', foundAt: 'REGISTRATION' });
    const proposal = await propose(review);
    expect(await shown(`/wallets/${walletId}`)).toMatchObject({ status: 'PENDING' });
    expect(await operators.approve(proposal)).toMatchObject({ code: 0 });
    expect(await shown(`/wallets/${walletId}`)).toMatchObject({ status: 'ACTIVE', version: 2 });
    const paid = await pay(walletId);
    // The same entry of a later list is what was released; another entry is not.
    ask = found('l2', 'entry-1');
    await settle(paid);
    expect(chain.orders.size).toBe(1);
    harness.clock.advance(DAY_MS);
    ask = found('l2', 'entry-2');
    const held = await pay(walletId);
    await settle(held);
    expect([chain.orders.size, (await shown(`/payments/${held}`)).statusDetail]).toEqual([
      ...[1, 'COMPLIANCE_REVIEW'],
    ]);
  });

  it('a release of a list that names no entries is good for that version alone', async () => {
    const { walletId, paymentId, review } = await addHeld(found('v1'));
    expect(await operators.approve(await propose(review))).toMatchObject({ code: 0 });
    expect(wakes).toEqual([paymentId]);
    await settle(paymentId);
    expect(chain.orders.size).toBe(1);
    harness.clock.advance(DAY_MS);
    ask = found('v2');
    const later = await pay(walletId);
    await settle(later);
    expect(chain.orders.size).toBe(1);
    expect((await openReviewOf(walletId)).listVersion).toBe('v2');
  });

  it('one operator is not two, however the names are typed', async () => {
    const { walletId, paymentId, review } = await addHeld();
    const proposal = await propose(review);
    expect(await operators.approve(proposal, 'ada')).toMatchObject({ code: 1 });
    await settle(paymentId);
    expect(chain.orders.size).toBe(0);
    expect(await shown(`/wallets/${walletId}`)).toMatchObject({ status: 'ACTIVE' });
  });

  it('one refuses: the wallet is REJECTED, its payments fail, and nothing takes it back', async () => {
    const { walletId, paymentId, review } = await addHeld();
    const proposal = await propose(review);
    expect(await refuse(review)).toBe(true);
    expect(await refuse(review)).toBe(false);
    expect(await operators.approve(proposal)).toMatchObject({ code: 1 });
    expect(await shown(`/wallets/${walletId}`)).toMatchObject({ status: 'REJECTED' });
    expect(await settle(paymentId)).toEqual({ kind: 'DONE', status: 'FAILED' });
    expect(await shown(`/payments/${paymentId}`)).toMatchObject({
      ...{ statusDetail: 'COMPLIANCE_DECLINED', failure: { code: 'compliance_declined' } },
    });
    expect(chain.orders.size).toBe(0);
    await harness.expectBooksToHold();
  });

  it('a refusal that was cut off lets nothing leave, and is finished', async () => {
    const { walletId, paymentId, review } = await addHeld();
    const cut = {
      ...acting(),
      db: { ...harness.database.people, write: () => Promise.reject(new Error('cut')) },
    };
    const operator = await operators.operator('ada');
    await expect(refuseWallet(cut, review, { operator, reason: 'listed' })).rejects.toThrow('cut');
    expect(await shown(`/wallets/${walletId}`)).toMatchObject({ status: 'ACTIVE' });
    expect(await settle(paymentId)).toEqual({ kind: 'DONE', status: 'FAILED' });
    await endReviews(ending(), 'test');
    expect(await shown(`/wallets/${walletId}`)).toMatchObject({ status: 'REJECTED' });
    await rejectReviewed(acting(), review);
    expect(await shown(`/wallets/${walletId}`)).toMatchObject({ status: 'REJECTED', version: 3 });
  });

  it('a release after the wallet was disabled is void', async () => {
    const { walletId, review } = await addHeld();
    const proposal = await propose(review);
    await harness.ask({ method: 'POST', url: `/wallets/${walletId}/disable` });
    expect(await operators.approve(proposal)).toMatchObject({ code: 1 });
    expect(await again(review)).toMatchObject({ outcome: 'SUPERSEDED' });
  });

  it('operators cannot release a blocked address; one of them ends what waits for it', async () => {
    const { walletId, paymentId, review } = await addHeld(found('l1', 'x', 'BLOCKED'));
    expect(review).toMatchObject({ verdict: 'BLOCKED', walletStatus: 'REJECTED' });
    expect(await operators.approve(await propose(review))).toMatchObject({ code: 1 });
    await refuse(review);
    expect(await settle(paymentId)).toEqual({ kind: 'DONE', status: 'FAILED' });
    expect(await shown(`/wallets/${walletId}`)).toMatchObject({ status: 'REJECTED' });
  });

  it('a list that says something else by then ends the review', async () => {
    ask = found('l1');
    const address = someAddress();
    const walletId = await addWallet(address);
    const review = await openReviewOf(walletId);
    const proposal = await propose(review);
    ask = CLEAR;
    await addWallet(address);
    expect(await shown(`/wallets/${walletId}`)).toMatchObject({ status: 'ACTIVE' });
    expect(await again(review)).toMatchObject({
      ...{ outcome: 'SUPERSEDED', decidedBy: 'system:screening' },
    });
    expect(await operators.approve(proposal)).toMatchObject({ code: 1 });
  });

  it('that was not decided in 30 days is REJECTED, and its payments fail', async () => {
    const { walletId, paymentId, review } = await addHeld();
    harness.clock.advance(30 * DAY_MS - 1000);
    await endReviews(ending(), 'test');
    expect(await again(review)).toMatchObject({ outcome: null });
    harness.clock.advance(1000);
    await endReviews(ending(), 'test');
    await endReviews(ending(), 'test');
    expect(await again(review)).toMatchObject({ outcome: 'EXPIRED' });
    expect(await shown(`/wallets/${walletId}`)).toMatchObject({ status: 'REJECTED', version: 3 });
    expect(await settle(paymentId)).toEqual({ kind: 'DONE', status: 'FAILED' });
    await harness.expectBooksToHold();
  });

  it('by the clock of the sandbox ages with each move', async () => {
    const { review } = await addHeld();
    const move = async (span: string) => {
      const order = { method: 'POST', url: '/sandbox/clock', body: { advance: span } } as const;
      expect((await harness.ask(order)).statusCode).toBe(200);
      await endReviews(ending(), 'test');
    };
    await move('P29DT23H59M59S');
    expect(await again(review)).toMatchObject({ outcome: null });
    await move('PT1S');
    expect(await again(review)).toMatchObject({ outcome: 'EXPIRED' });
  });

  it('one that cannot be ended keeps no other from its end', async () => {
    ask = CLEAR;
    const first = await addHeld();
    ask = CLEAR;
    const second = await addHeld();
    harness.clock.advance(30 * DAY_MS);
    const told: string[] = [];
    const { db } = harness.deps;
    let writes = 0;
    const write: typeof db.write = (...given) => {
      writes += 1;
      return writes === 1 ? Promise.reject(new Error('a bad row')) : db.write(...given);
    };
    const onFault = (id: string): void => void told.push(id);
    await endReviews({ db: { ...db, write }, clock: harness.clock, onFault }, 'test');
    expect(told).toEqual([first.review.id]);
    expect(await again(second.review)).toMatchObject({ outcome: 'EXPIRED' });
    await endReviews(ending(), 'test');
    expect(await again(first.review)).toMatchObject({ outcome: 'EXPIRED' });
  });
});

describe('the database refuses of a review', () => {
  const asApp = (sql: string, ...values: unknown[]) =>
    harness.database.db.write(harness.scope, (tx) => tx.query(sql, values));
  const decide = (outcome: string) =>
    `UPDATE wallet_reviews SET outcome = '${outcome}', decided_by = 'x', reason = 'x',
       decided_at = opened_at + interval '1 day' WHERE id = $1`;

  it.each(['RELEASED', 'REFUSED', 'EXPIRED'])(
    '%s by what an API or a worker is, before its time',
    async (outcome) => {
      const { review } = await addHeld();
      await expect(asApp(decide(outcome), review.id)).rejects.toThrow();
    },
  );

  it('a wallet that becomes ACTIVE while it is open', async () => {
    ask = found('l1');
    const walletId = await addWallet();
    await expect(
      asApp(`UPDATE wallets SET status = 'ACTIVE', version = version + 1 WHERE id = $1`, walletId),
    ).rejects.toThrow(/neither cleared nor released/);
  });

  it('to be good for another find than its own', async () => {
    const { walletId } = await addHeld(found('l1', 'entry-1'));
    await expect(
      asApp(`UPDATE wallets SET screening_match = 'entry-2' WHERE id = $1`, walletId),
    ).rejects.toThrow(/something else/);
  });
});
