import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  findDepositReview,
  listBlockedDecisions,
  listBlockedDeposits,
} from '../../../src/db/onchain/deposit-review-store.ts';
import type { DepositRow } from '../../../src/db/onchain/deposit-store.ts';
import type { BlockedDecision } from '../../../src/domain/onchain/deposits/deposit.ts';
import { decideBlockedDeposit } from '../../support/decide-blocked-deposit.ts';
import {
  block,
  credit,
  readUpTo,
  seeDeposit,
  type FundedAnswer,
} from '../../support/funded-payments.ts';
import { createTwoOperators, type TwoOperators } from '../../support/two-operators.ts';
import {
  createFundedHarness,
  FUNDING,
  minorOf,
  type FundedHarness,
} from '../../support/payments/funded-harness.ts';

let funded: FundedHarness;
let operators: TwoOperators;
beforeAll(async () => {
  funded = await createFundedHarness();
  const { database, clock } = funded.harness;
  operators = createTwoOperators(database.people, clock, { wakePayment: async () => undefined });
  // Every copy has them.
  for (const name of ['ada', 'ben']) await operators.operator(name);
});
afterEach(() => funded.resetRails());
afterAll(() => funded.close());

const HOUR_MS = 3_600_000;

/** Orders a payment, of which one life sends what a deposit completes; then the copy of before is restored. */
async function sentBeforeRestore(): Promise<FundedAnswer> {
  const { harness, chain } = funded;
  const payment = await funded.ordered();
  const restore = await harness.database.keepCopy();
  await credit(harness, await seeDeposit(harness, payment, { amount: minorOf(payment) }));
  await funded.wake(payment.id);
  const sent = chain.orders.size;
  await funded.settle(payment.id);
  expect(chain.orders.size).toBe(sent + 1);
  await restore();
  harness.clock.advance(1_000);
  await funded.passRestoreMode();
  return payment;
}

/** So long after the payment's time that no rate is kept any more, all blocks in time are final. */
async function passAnHour({ funding }: FundedAnswer): Promise<void> {
  const after = new Date(new Date(funding.expiresAt).getTime() + HOUR_MS + 1_000);
  funded.moveTo(after);
  await readUpTo(funded.harness, after);
}

/** What was sent is settled by its rail's word about it, and not sent again. */
async function expectPaidOnce({ id }: FundedAnswer, balance: object): Promise<void> {
  const { chain } = funded;
  const submit = chain.submit;
  chain.word = { status: 'SETTLED' };
  let again = 0;
  chain.submit = (sent, limit) => {
    again += 1;
    return submit(sent, limit);
  };
  await funded.settle(id);
  await funded.settle(id);
  chain.submit = submit;
  expect(again).toBe(0);
  expect(await funded.shown(id)).toMatchObject({ status: 'COMPLETED' });
  expect(await funded.usdc()).toEqual(balance);
}

function decide({ id }: DepositRow, decision: BlockedDecision): Promise<void> {
  const { people } = funded.harness.database;
  return decideBlockedDeposit({ people, clock: funded.harness.clock, operators }, id, decision);
}

/** What operators see of a deposit, and whether it waits for them. */
async function underReview({ id }: DepositRow) {
  const { people } = funded.harness.database;
  return people.system(async (tx) => ({
    row: await findDepositReview(tx, id),
    decisions: await listBlockedDecisions(tx, id),
    waits: (await listBlockedDeposits(tx, 'test', 1_000)).some((one) => one.id === id),
  }));
}

/** One life has a deposit in suspense and decides about it; then the copy of before is restored. */
async function decidedBeforeRestore(decision: BlockedDecision, surplus: bigint) {
  const { harness, chain } = funded;
  const payment = await funded.ordered();
  const amount = minorOf(payment) + surplus;
  const deposit = await seeDeposit(harness, payment, { amount });
  await block(harness, deposit);
  const restore = await harness.database.keepCopy();
  const before = await funded.usdc();
  const sent = chain.orders.size;
  await decide(deposit, decision);
  await funded.wake(payment.id);
  await funded.settle(payment.id);
  expect(chain.orders.size).toBe(sent + (decision === 'RELEASE' ? 1 : 0));
  await restore();
  harness.clock.advance(1_000);
  await funded.passRestoreMode();
  return { payment, deposit, before };
}

const BACK_IN_REVIEW = {
  row: { status: 'BLOCKED', mayBePaidOut: true },
  ...{ decisions: [], waits: true },
};

describe('a deposit in suspense about which operators decided before the restore', () => {
  it('to release it waits for operators again, and is credited and paid out once', async () => {
    const surplus = 1_000_000n;
    const { payment, deposit, before } = await decidedBeforeRestore('RELEASE', surplus);
    expect(await underReview(deposit)).toMatchObject(BACK_IN_REVIEW);
    await passAnHour(payment);
    expect(await funded.settle(payment.id)).toMatchObject({ kind: 'WAIT' });
    expect(await credit(funded.harness, deposit)).toBe(false);
    expect(await funded.usdc()).toEqual(before);
    await decide(deposit, 'RELEASE');
    await funded.wake(payment.id);
    await expectPaidOnce(payment, { ...before, available: before.available + surplus });
  });

  it('to keep it waits for operators again, and nothing of it moves', async () => {
    for (let block = 0; block < 7; block += 1) {
      await readUpTo(funded.harness, funded.harness.clock.now());
    }
    const { payment, deposit, before } = await decidedBeforeRestore('KEEP', 0n);
    const sent = funded.chain.orders.size;
    expect(await underReview(deposit)).toMatchObject(BACK_IN_REVIEW);
    await passAnHour(payment);
    expect(await funded.settle(payment.id)).toMatchObject({ kind: 'WAIT' });
    await decide(deposit, 'KEEP');
    await funded.settle(payment.id);
    expect(await credit(funded.harness, deposit)).toBe(false);
    expect(await underReview(deposit)).toMatchObject({ row: { status: 'KEPT' }, waits: false });
    expect(await funded.usdc()).toEqual(before);
    expect(funded.chain.orders.size).toBe(sent);
  });
});

describe('a payment that was sent before the restore, of a deposit that is not credited since', () => {
  it('which it blocked: the payment waits for the operators, and their release asks its rail', async () => {
    const before = await funded.usdc();
    const payment = await sentBeforeRestore();
    const deposit = await seeDeposit(funded.harness, payment, { amount: minorOf(payment) });
    await block(funded.harness, deposit);
    await passAnHour(payment);
    expect(await funded.settle(payment.id)).toMatchObject({ kind: 'WAIT' });
    await decide(deposit, 'RELEASE');
    await funded.wake(payment.id);
    await expectPaidOnce(payment, before);
  });

  it('which an operator is to look at: the payment waits for that longer than its rate is kept', async () => {
    const { harness } = funded;
    const answer = await harness.pay(harness.order({ funding: FUNDING }));
    expect(answer.statusCode, answer.body).toBe(201);
    const payment = answer.json<FundedAnswer>();
    await funded.passRestoreMode();
    const deposit = await seeDeposit(harness, payment, { amount: minorOf(payment) });
    await passAnHour(payment);
    expect(await funded.settle(payment.id)).toMatchObject({ kind: 'WAIT' });
    await credit(harness, deposit);
    await funded.wake(payment.id);
    expect(await funded.shown(payment.id)).toMatchObject({ statusDetail: 'QUEUED' });
  });

  it('is ended as any other one where no life before a restore can have sent it', async () => {
    const payment = await funded.ordered();
    const deposit = await seeDeposit(funded.harness, payment, { amount: minorOf(payment) });
    await block(funded.harness, deposit);
    await passAnHour(payment);
    expect(await funded.settle(payment.id)).toEqual({ kind: 'DONE', status: 'EXPIRED' });
  });
});
