import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DepositRow } from '../../../src/db/onchain/deposit-store.ts';
import { creditOrHold } from '../../../src/modules/onchain/deposits/credit-or-hold.ts';
import { proposeClearance } from '../../../src/modules/onchain/deposits/decide-deposit.ts';
import { createTwoOperators } from '../../support/two-operators.ts';
import { findDepositReview } from '../../../src/db/onchain/deposit-review-store.ts';
import {
  createFundedHarness,
  minorOf,
  type FundedHarness,
} from '../../support/payments/funded-harness.ts';
import { seeDeposit, type FundedAnswer } from '../../support/funded-payments.ts';

let funded: FundedHarness;
beforeAll(async () => {
  funded = await createFundedHarness();
});
afterEach(() => funded.endTest());
afterAll(() => funded.harness.close());

/** What the reader of the chain does with a deposit that is deep enough and whose sender is clear. */
async function take(deposit: DepositRow, review: DepositRow['review'] = null): Promise<object> {
  const { database, clock, scope, rows } = funded.harness;
  const deps = {
    ...{ db: database.db, clock, place: { environment: 'test', network: 'BASE' } as const },
    workflows: { wakePayment: async () => undefined },
  };
  const { id, blockHash, paymentId } = deposit;
  if (paymentId === null) throw new Error('the deposit is to a standing address');
  const judged = { id, blockHash, review, paymentId, depositAddressId: null };
  await creditOrHold(deps, { ...judged, customerId: scope.customerId });
  const [row] = await rows<object>('SELECT status, review FROM deposits WHERE id = $1', [
    deposit.id,
  ]);
  return row ?? {};
}

/** Two operators let it be credited. */
async function release({ id }: DepositRow): Promise<void> {
  const { database, clock } = funded.harness;
  const operators = createTwoOperators(database.people, clock, {
    wakePayment: async () => undefined,
  });
  const row = await database.people.system((tx) => findDepositReview(tx, id));
  if (row === null) throw new Error('there is no such deposit');
  // Their page says so.
  expect(row.mayBePaidOut).toBe(true);
  const act = { operator: await operators.operator('ada'), reason: 'its rail never paid' };
  const proposal = await proposeClearance({ db: database.people, clock }, row, act);
  expect(await operators.approve(proposal ?? '')).toMatchObject({ code: 0 });
}

const see = (payment: FundedAnswer, sent: Partial<Parameters<typeof seeDeposit>[2]> = {}) =>
  seeDeposit(funded.harness, payment, { amount: minorOf(payment), ...sent });

const HELD = { status: 'SEEN', review: 'HELD' };
const CREDITED = { status: 'CREDITED', review: null };

describe('a deposit that a database before a restore may have paid out', () => {
  it('waits for operators where a part of it would be the customer’s', async () => {
    const surplus = await funded.ordered();
    const [other, late] = [await funded.ordered(), await funded.ordered()];
    const more = await see(surplus, { amount: minorOf(surplus) + 1n });
    const token = await see(other, { asset: 'EURC' });
    const lateAt = new Date(new Date(late.funding.expiresAt).getTime() + 1_000);
    funded.moveTo(lateAt);
    const tooLate = await see(late, { minedAt: lateAt });
    await funded.passRestoreMode();
    const before = await funded.usdc();
    for (const deposit of [more, token, tooLate]) expect(await take(deposit)).toEqual(HELD);
    expect(await funded.usdc()).toEqual(before);
    // Operators have asked its rail, and let it go on.
    await release(more);
    expect(await take(more, 'RELEASED')).toEqual({ status: 'CREDITED', review: 'RELEASED' });
  });

  it('is credited where all of it goes to its payment: its rail is asked before the first send', async () => {
    const payment = await funded.ordered();
    const deposit = await see(payment);
    await funded.passRestoreMode();
    expect(await take(deposit)).toEqual(CREDITED);
  });

  it('is no other one: what was mined after restore mode, or came for a payment since', async () => {
    const before = await funded.ordered();
    await funded.passRestoreMode();
    const since = await funded.ordered();
    for (const payment of [before, since]) {
      const deposit = await see(payment, { amount: minorOf(payment) + 1n });
      expect(await take(deposit)).toEqual(CREDITED);
    }
  });
});
