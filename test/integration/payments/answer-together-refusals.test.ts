import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemActor } from '../../../src/domain/actor.ts';
import { changePayment } from '../../../src/modules/payments/change-payment.ts';
import { withLockedPayment } from '../../../src/modules/payments/lock-payment.ts';
import { saveAttempt } from '../../../src/modules/payments/take-steps.ts';
import { says, type BankCall, type BankReply } from '../../support/payments/scripted-bank.ts';
import {
  acceptMany,
  startTogetherHarness,
  type Ref,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';

const TOGETHER = 6;
const ODD = 3;

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
  await harness.close();
});

/** What the bank does while one payment's send is under way, and what it answers. */
type Meanwhile = (call: BankCall, ref: Ref) => BankReply | Promise<BankReply>;

const referenceOf = async ({ paymentId }: Ref) =>
  (await harness.tell(paymentId)).attempts[0]?.reference ?? '';

async function settle(odd: Ref, others: readonly Ref[], meanwhile: Meanwhile) {
  const reference = await referenceOf(odd);
  harness.bank.onPut = (call) =>
    call.reference === reference ? meanwhile(call, odd) : says('SETTLED')(call);
  const refs = others.toSpliced(ODD, 0, odd);
  const steps = await harness.start({ answersTogether: refs.length }).settleAll(refs);
  const { payment, attempts, story } = await harness.tell(odd.paymentId);
  const { status, statusDetail, fundsStatus, reconciliationStatus } = payment;
  const ledger = await harness.rows(
    'SELECT kind FROM ledger_transactions WHERE payment_id = $1 ORDER BY seq',
    [odd.paymentId],
  );
  const step = steps[refs.indexOf(odd)];
  // Each payment stands under a reference of its own.
  const shown =
    step?.status === 'fulfilled' ? { ...step, value: { ...step.value, standing: null } } : step;
  return {
    ...{ step: shown, status, statusDetail, fundsStatus, reconciliationStatus },
    ...{
      story,
      ledger,
      attempts: attempts.map(({ phase, sends, fruitlessSends }) => ({
        phase,
        sends,
        fruitlessSends,
      })),
    },
  };
}

const callback =
  (status: string): Meanwhile =>
  async (call) => {
    const { reference } = call;
    expect(await harness.callback({ reference, status, reason: 'AC04' })).toBe(202);
    return says('SETTLED')(call);
  };

const locked = (
  { paymentId }: Ref,
  work: Parameters<typeof withLockedPayment>[3],
): Promise<unknown> => withLockedPayment(harness.deps, harness.scope, paymentId, work);

const versioned: Meanwhile = async (call, ref) => {
  const change = { reconciliationStatus: 'EXCEPTION', reconciliationEvidence: {} } as const;
  await locked(ref, (one) => changePayment(one, change, systemActor('reconciliation')));
  return says('SETTLED')(call);
};

/** Another run has asked, and the answer to its question was lost. */
const asked: Meanwhile = async (call, ref) => {
  await locked(ref, async (one) => {
    const [attempt] = one.attempts;
    if (attempt === undefined) throw new Error('there is no attempt');
    await saveAttempt(one, { ...attempt, phase: 'UNKNOWN', fruitlessSends: 1 });
  });
  return says('SETTLED')(call);
};

/** What that run wrote of the send is kept. */
const FOUND = { phase: 'SETTLED', sends: 1, fruitlessSends: 1 };

describe('one of many answers', () => {
  it.each<[string, Meanwhile, object]>([
    ['with a SETTLED callback meanwhile', callback('SETTLED'), { status: 'COMPLETED' }],
    ['with an ACCEPTED callback meanwhile', callback('ACCEPTED'), { status: 'COMPLETED' }],
    ['with a RETURNED callback meanwhile', callback('RETURNED'), { status: 'RETURNED' }],
    ['with a REJECTED callback meanwhile', callback('REJECTED'), { status: 'FAILED' }],
    ['of a payment with another version', versioned, { reconciliationStatus: 'EXCEPTION' }],
    ['of an attempt that another run found', asked, { attempts: [FOUND] }],
    ['that is REJECTED', says('REJECTED', 'AC04'), { status: 'FAILED' }],
    [
      'that is REJECTED for now',
      says('REJECTED', 'BANK_UNAVAILABLE'),
      { statusDetail: 'RETRYING' },
    ],
    ['that is ACCEPTED', says('ACCEPTED'), { status: 'SENT' }],
    ['that is lost', () => 'RESET', { statusDetail: 'OUTCOME_UNKNOWN' }],
    ['that is garbage', () => ({ status: 200, body: 'no' }), { statusDetail: 'OUTCOME_UNKNOWN' }],
  ])('%s is judged as alone, the others are COMPLETED', async (_what, meanwhile, expected) => {
    const [first, second, ...others] = await acceptMany(harness, TOGETHER + 2);
    if (first === undefined || second === undefined) throw new Error('nothing was accepted');
    const alone = await settle(first, [], meanwhile);
    const among = await settle(second, others, meanwhile);
    expect(among).toEqual(alone);
    expect(among).toMatchObject(expected);
    for (const { paymentId } of others) {
      const { payment, attempts } = await harness.tell(paymentId);
      expect(payment).toMatchObject({ status: 'COMPLETED', version: 2 });
      expect(attempts).toMatchObject([{ phase: 'SETTLED', sends: 1 }]);
    }
    expect(harness.bank.puts()).toHaveLength(TOGETHER + 2);
  });

  it('with a bank reference that no column takes costs the others nothing', async () => {
    const [odd, ...others] = await acceptMany(harness, TOGETHER + 1);
    if (odd === undefined) throw new Error('nothing was accepted');
    await settle(odd, others, ({ reference }) => ({
      ...{ status: 200, body: { reference, status: 'SETTLED', bankReference: 'B\u0000\ud800' } },
    }));
    await harness.expectPaidOnce(others);
    await harness.expectPaidOnce([odd]);
  });
});
