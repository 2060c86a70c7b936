import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  acceptMany,
  everyDeath,
  faultIn,
  startTogetherHarness,
  type Ref,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';

/** One that goes ahead alone, and those behind it that share a transaction. */
const COUNT = 4;
/** The claims' own transactions are the first two of a process, those of answers the next two. */
const CLAIM = 2;
const ANSWER = 4;

let harness: TogetherHarness;
let refs: readonly Ref[];
beforeAll(async () => {
  harness = await startTogetherHarness();
});
beforeEach(async () => {
  harness.resetBank();
  refs = await acceptMany(harness, COUNT);
});
afterEach(async () => {
  await harness.endProcesses();
  await harness.expectPaidOnce(refs);
  expect(harness.bank.puts()).toHaveLength(COUNT);
});
afterAll(async () => {
  await harness.expectAllWritten();
  await harness.close();
});

const phases = async () => {
  const ids = refs.map(({ paymentId }) => paymentId);
  const sql = `SELECT phase FROM settlement_attempts WHERE payment_id = ANY ($1) ORDER BY payment_id`;
  return (await harness.rows<{ phase: string }>(sql, [ids])).map(({ phase }) => phase);
};
const count = (all: readonly string[], one: string) => all.filter((phase) => phase === one).length;

it('claims that wait share one transaction of three statements, answers one of four', async () => {
  const { settleAll, sent } = harness.start({ answersTogether: COUNT });
  const steps = await settleAll(refs);
  expect(steps.map((step) => (step.status === 'fulfilled' ? step.value : step.reason))).toEqual(
    refs.map(() => ({ kind: 'DONE', status: 'COMPLETED' })),
  );
  const transactions = [1, 2, 3, 4].map((nth) =>
    sent.filter(({ transaction }) => transaction === nth),
  );
  expect(transactions.map((statements) => statements.length)).toEqual([3, 3, 4, 4]);
  expect(sent).toHaveLength(14);
});

describe('claims together', () => {
  it.each(everyDeath(3))(
    'in a process that dies %s: nothing was sent of them, and each is paid once',
    async (_when, place, fault) => {
      const { settleAll, isDead } = harness.start({ faultAt: faultIn(CLAIM, place, fault) });
      await settleAll(refs);
      expect(isDead()).toBe(true);
      // The first one went ahead alone, and may have been sent before the others' end.
      expect(harness.bank.puts().length).toBeLessThanOrEqual(1);
      const isCommitted = fault === 'DIES_AFTER';
      expect(count(await phases(), 'READY')).toBe(isCommitted ? 0 : COUNT - 1);
    },
  );

  it('whose COMMIT is not answered are asked about, and sent once the bank never saw them', async () => {
    const { settleAll } = harness.start({ faultAt: faultIn(CLAIM, 'COMMIT', 'LOSES_ANSWER') });
    await settleAll(refs);
    expect(harness.bank.puts()).toHaveLength(1);
    const asked = harness.bank.calls.filter(({ method }) => method === 'GET');
    expect(new Set(asked.map(({ reference }) => reference)).size).toBe(COUNT - 1);
  });
});

describe('answers together', () => {
  it.each(everyDeath(4))(
    'in a process that dies %s: the bank is asked, and each is paid once',
    async (_when, place, fault) => {
      const faultAt = faultIn(ANSWER, place, fault);
      const { settleAll, isDead } = harness.start({ faultAt, answersTogether: COUNT });
      await settleAll(refs);
      expect(isDead()).toBe(true);
      const isCommitted = fault === 'DIES_AFTER';
      expect(count(await phases(), 'SETTLED')).toBe(isCommitted ? COUNT : 1);
    },
  );

  it('whose COMMIT is not answered are found done', async () => {
    const faultAt = faultIn(ANSWER, 'COMMIT', 'LOSES_ANSWER');
    const { settleAll } = harness.start({ faultAt, answersTogether: COUNT });
    const steps = await settleAll(refs);
    for (const step of steps) {
      expect(step).toMatchObject({ value: { kind: 'DONE', status: 'COMPLETED' } });
    }
    expect(harness.bank.calls).toHaveLength(COUNT);
  });

  it.each([1, 2, 3])(
    'whose connection is lost at statement %i are written alone',
    async (place) => {
      const faultAt = faultIn(ANSWER, place, 'LOSES_ANSWER');
      const { settleAll } = harness.start({ faultAt, answersTogether: COUNT });
      const steps = await settleAll(refs);
      for (const step of steps) {
        expect(step).toMatchObject({ value: { kind: 'DONE', status: 'COMPLETED' } });
      }
      expect(harness.bank.calls).toHaveLength(COUNT);
    },
  );
});
