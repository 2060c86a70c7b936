import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { says } from '../../support/payments/scripted-bank.ts';
import {
  acceptMany,
  keyed,
  keys,
  startTogetherHarness,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';

let harness: TogetherHarness;
beforeAll(async () => {
  harness = await startTogetherHarness();
});
beforeEach(() => {
  harness.resetBank();
});
afterEach(() => harness.endProcesses());
afterAll(async () => {
  await harness.expectAllWritten();
  await expectEveryLineToAddUp();
  await harness.close();
});

/** Every stored balance after a line is the sum of the lines up to it, in the order of the journal. */
async function expectEveryLineToAddUp(): Promise<void> {
  const wrong = await harness.rows(
    `SELECT * FROM (
       SELECT t.kind, t.seq, e.line, e.account, e.amount, e.balance_after,
         sum(e.amount) OVER (PARTITION BY e.customer_id, e.environment, e.account, e.currency
           ORDER BY t.seq, e.line) AS recomputed
       FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
       WHERE e.account IN ('available', 'reserved')) lines
     WHERE balance_after IS DISTINCT FROM recomputed ORDER BY seq, line`,
  );
  expect(wrong).toEqual([]);
}

it('twenty payments that are settled, rejected and returned together: every line adds up', async () => {
  const amounts = [1n, 99n, 12_345n, 1_000_000n];
  const requests = keys('many', 20).map((key, n) =>
    keyed(harness.payer, key, { amount: amounts[n % amounts.length] ?? 1n }),
  );
  const { acceptAll } = harness.start();
  const outcomes = await acceptAll(requests);
  const refs = outcomes.map((one) => {
    if (one.status !== 'fulfilled' || one.value.isReplay) throw new Error('not accepted');
    return { ...harness.scope, paymentId: one.value.paymentId };
  });
  let puts = 0;
  harness.bank.onPut = (call) => {
    puts += 1;
    return puts % 5 === 0 ? says('REJECTED', 'AC04')(call) : says('SETTLED')(call);
  };
  await harness.start({ answersTogether: refs.length }).settleAll(refs);
  for (const { paymentId } of refs.slice(0, 5)) {
    const { attempts } = await harness.tell(paymentId);
    const word = { reference: attempts[0]?.reference, status: 'RETURNED', reason: 'AC04' };
    await harness.callback(word);
    await harness.applyTransferReports(paymentId);
  }
});

it('what is settled and what is accepted meanwhile, by two processes: every line adds up', async () => {
  const refs = await acceptMany(harness, 20);
  const requests = keys('meanwhile', 20).map((key) => keyed(harness.payer, key));
  const [one, other] = [
    harness.start({ answersTogether: 10 }),
    harness.start({ answersTogether: 10 }),
  ];
  await Promise.all([
    ...[one.settleAll(refs.slice(0, 10)), one.acceptAll(requests.slice(0, 10))],
    ...[other.settleAll(refs.slice(10)), other.acceptAll(requests.slice(10))],
  ]);
  await harness.expectPaidOnce(refs);
});

it('more than the balance covers, by two processes: as many as it covers, and nothing is left', async () => {
  const { available } = await harness.balance();
  const { reserved } = await harness.balance();
  const amount = BigInt(available) / 60n;
  const left = BigInt(available) - 60n * amount;
  const requests = keys('too many', 120).map((key) => keyed(harness.payer, key, { amount }));
  const outcomes = await Promise.all([
    harness.start().acceptAll(requests.slice(0, 60)),
    harness.start().acceptAll(requests.slice(60)),
  ]);
  const accepted = outcomes.flat().filter(({ status }) => status === 'fulfilled');
  expect(accepted).toHaveLength(60);
  for (const one of outcomes.flat()) {
    if (one.status === 'rejected')
      expect(one.reason).toMatchObject({ code: 'insufficient_balance' });
  }
  expect(await harness.balance()).toEqual({
    available: left.toString(),
    reserved: (BigInt(reserved) + 60n * amount).toString(),
  });
});
