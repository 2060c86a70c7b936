import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createClaimReady } from '../../../src/modules/payments/claim-ready.ts';
import type { Payer } from '../../support/payment-harness.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';
import {
  keyed,
  keys,
  startTogetherHarness,
  type EngineProcess,
  type Ref,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';
import { EVER } from '../../support/test-screening.ts';

const COUNT = 6;

let harness: TogetherHarness;
/** A customer, its live side, and another customer. */
let payers: readonly Payer[];
beforeAll(async () => {
  harness = await startTogetherHarness();
  const { customerId } = harness.scope;
  const otherId = await harness.database.db.system((tx) => addCustomer(tx));
  payers = [
    harness.payer,
    await harness.addPayer({ customerId, environment: 'live' }),
    await harness.addPayer({ customerId: otherId, environment: 'test' }),
  ];
});
let round = 0;
beforeEach(() => {
  harness.resetBank();
  round += 1;
});
afterEach(() => harness.endProcesses());
afterAll(async () => {
  await harness.expectAllWritten();
  await harness.close();
});

const nameOf = ({ scope: { customerId, environment } }: Payer) =>
  `${String(round)} ${environment} of ${customerId}`;

/** In turn one of each scope, so that they arrive mixed. */
const mixed = () =>
  keys('', COUNT).flatMap((n) => payers.map((payer) => keyed(payer, `${nameOf(payer)}${n}`)));

async function acceptMixed(process: EngineProcess): Promise<Ref[]> {
  const requests = mixed();
  const outcomes = await process.acceptAll(requests);
  return outcomes.map((outcome, n) => {
    if (outcome.status !== 'fulfilled' || outcome.value.isReplay) throw new Error('not accepted');
    const scope = requests[n]?.scope ?? harness.scope;
    return { ...scope, paymentId: outcome.value.paymentId };
  });
}

/** By transaction: the scope that it entered, and every text that its statements were given. */
function transactionsOf({ sent }: EngineProcess) {
  const numbers = [...new Set(sent.map(({ transaction }) => transaction))];
  return numbers.map((number) => {
    const statements = sent.filter(({ transaction }) => transaction === number);
    const [customerId, environment] = ['customer', 'environment'].map(
      (name) => new RegExp(`'causeway.${name}', '([^']*)'`).exec(statements[0]?.text ?? '')?.[1],
    );
    const texts = statements.flatMap(({ values }) => values.flat()).map(String);
    return { scope: `${String(environment)} of ${String(customerId)}`, texts };
  });
}

it('requests of several scopes at once share transactions with their own scope only', async () => {
  const process = harness.start();
  await acceptMixed(process);
  const transactions = transactionsOf(process);
  // Of each scope one goes ahead alone, and its others are together.
  expect(transactions).toHaveLength(2 * payers.length);
  for (const { scope, texts } of transactions) {
    const names = texts.filter((text) => text.startsWith(`${String(round)} `));
    expect(names).not.toEqual([]);
    for (const name of names) expect(name).toContain(scope);
    for (const payer of payers.filter((one) => !nameOf(one).endsWith(scope))) {
      expect(texts).not.toContain(payer.endUserId);
      expect(texts).not.toContain(payer.bankAccountId);
    }
  }
  const rows = await harness.rows<{ key: string; scope: string }>(
    `SELECT idempotency_key AS key, environment || ' of ' || customer_id AS scope FROM payments
     WHERE idempotency_key LIKE $1`,
    [`${String(round)} %`],
  );
  expect(rows).toHaveLength(COUNT * payers.length);
  for (const { key, scope } of rows) expect(key).toContain(scope);
});

it('claims and answers of several scopes at once touch the payments of their own scope only', async () => {
  const refs = await acceptMixed(harness.start());
  const process = harness.start({ answersTogether: refs.length });
  const steps = await process.settleAll(refs);
  for (const step of steps) expect(step).toMatchObject({ value: { status: 'COMPLETED' } });
  const transactions = transactionsOf(process);
  expect(transactions).toHaveLength(4 * payers.length);
  for (const { scope, texts } of transactions) {
    const named = refs.filter(({ paymentId }) => texts.includes(paymentId));
    expect(named).not.toEqual([]);
    for (const ref of named) expect(`${ref.environment} of ${ref.customerId}`).toBe(scope);
  }
  expect(harness.bank.puts()).toHaveLength(refs.length);
});

it("another customer's payment, or the other side's, is not claimed among one's own", async () => {
  const process = harness.start();
  const refs = await acceptMixed(process);
  const { scope } = harness;
  const claim = createClaimReady({
    requireRail: () => undefined,
    screener: EVER,
    ...{ db: process.db, vault: harness.vault, clock: harness.clock },
    corridors: harness.deps.corridors,
    networks: harness.deps.networks,
    timing: { test: TIMING, live: TIMING },
  });
  const claimed = await Promise.all(refs.map(({ paymentId }) => claim(scope, paymentId)));
  const isOwn = (ref: Ref) =>
    ref.customerId === scope.customerId && ref.environment === scope.environment;
  expect(claimed.map((one) => one !== null)).toEqual(refs.map(isOwn));
  const phases = await harness.rows<{ phase: string }>(
    'SELECT phase FROM settlement_attempts WHERE payment_id = ANY ($1)',
    [refs.filter((ref) => !isOwn(ref)).map(({ paymentId }) => paymentId)],
  );
  expect(new Set(phases.map(({ phase }) => phase))).toEqual(new Set(['READY']));
});
