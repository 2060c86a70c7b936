import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  bodyOf,
  everyDeath,
  faultIn,
  keyed,
  keys,
  startTogetherHarness,
  type Ref,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';

/** One that goes ahead alone, and those behind it that share a transaction. */
const COUNT = 4;
const SHARED = 2;

let harness: TogetherHarness;
beforeAll(async () => {
  harness = await startTogetherHarness();
});
let names: readonly string[];
let round = 0;
beforeEach(() => {
  harness.resetBank();
  round += 1;
  names = keys(`round ${String(round)}`, COUNT);
});
afterEach(() => harness.endProcesses());
afterAll(async () => {
  await harness.expectAllWritten();
  await harness.close();
});

const requests = () => names.map((name) => keyed(harness.payer, name));
const accepted = () =>
  harness.rows('SELECT FROM payments WHERE idempotency_key = ANY ($1)', [names]);

/** The partner repeats every request until it is answered. */
async function repeatAll(): Promise<{ body: string; ref: Ref }[]> {
  const answers = [];
  for (const name of names) {
    const repeat = () => harness.pay(bodyOf(keyed(harness.payer, name).request.order), name);
    await expect.poll(async () => (await repeat()).statusCode).toBe(201);
    const { body } = await repeat();
    const { id } = JSON.parse(body) as { id: string };
    answers.push({ body, ref: { ...harness.scope, paymentId: id } });
  }
  return answers;
}

it('requests that wait share one transaction of six statements', async () => {
  const { acceptAll, sent } = harness.start();
  await acceptAll(requests());
  const places = sent.map(({ transaction, place }) => `${String(transaction)}.${String(place)}`);
  expect(places).toEqual([1, 2].flatMap((n) => [1, 2, 3, 4, 5, 6].map((place) => `${n}.${place}`)));
  expect(await accepted()).toHaveLength(COUNT);
});

it.each(everyDeath(6))(
  'a process dies %s: each repeated key is one payment, paid once',
  async (_when, place, fault) => {
    const { acceptAll, isDead } = harness.start({ faultAt: faultIn(SHARED, place, fault) });
    const outcomes = await acceptAll(requests());
    expect(isDead()).toBe(true);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await accepted()).toHaveLength(fault === 'DIES_AFTER' ? COUNT : 1);
    const answers = await repeatAll();
    expect(await accepted()).toHaveLength(COUNT);
    await harness.expectPaidOnce(answers.map(({ ref }) => ref));
  },
);

it('a COMMIT is not answered: every partner gets what was stored, byte for byte', async () => {
  const { acceptAll } = harness.start({ faultAt: faultIn(SHARED, 'COMMIT', 'LOSES_ANSWER') });
  const outcomes = await acceptAll(requests());
  const texts = outcomes.map((one) => (one.status === 'fulfilled' ? one.value.text : one.reason));
  const answers = await repeatAll();
  expect(answers.map(({ body }) => body)).toEqual(texts);
  expect(await accepted()).toHaveLength(COUNT);
  await harness.expectPaidOnce(answers.map(({ ref }) => ref));
});

it('a connection is lost in the middle: each request is done alone, and accepted once', async () => {
  for (const place of [2, 4, 6]) {
    const { acceptAll } = harness.start({ faultAt: faultIn(SHARED, place, 'LOSES_ANSWER') });
    names = keys(`round ${String(round)} place ${String(place)}`, COUNT);
    const outcomes = await acceptAll(requests());
    // The server may not have seen yet that the connection ended: then the key is still being used.
    const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    for (const reason of reasons)
      expect(reason).toMatchObject({ code: 'idempotency_key_in_progress' });
    const answers = await repeatAll();
    await harness.expectPaidOnce(answers.map(({ ref }) => ref));
  }
});
