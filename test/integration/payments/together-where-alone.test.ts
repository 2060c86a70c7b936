import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateUntouchedSends } from '../../../src/db/payments/settlement-attempt-store.ts';
import { createClaimReady } from '../../../src/modules/payments/claim-ready.ts';
import type { Payer } from '../../support/payment-harness.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';
import {
  keyed,
  startTogetherHarness,
  type Ref,
  type TogetherHarness,
} from '../../support/payments/together-harness.ts';
import { EVER } from '../../support/test-screening.ts';

// Row-level security is the second wall. Here it is torn down: every WHERE has to hold by itself.
let harness: TogetherHarness;
let refs: Ref[];
beforeAll(async () => {
  harness = await startTogetherHarness();
  const tables = await harness.rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relrowsecurity`,
  );
  for (const { name } of tables)
    await harness.rows(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`);
  const { customerId } = harness.scope;
  const otherId = await harness.database.db.system((tx) => addCustomer(tx));
  const payers: readonly Payer[] = [
    harness.payer,
    await harness.addPayer({ customerId, environment: 'live' }),
    await harness.addPayer({ customerId: otherId, environment: 'test' }),
  ];
  const { accept } = harness.start();
  refs = [];
  for (const payer of payers) {
    const accepted = await accept(keyed(payer, 'the same key'));
    if (accepted.isReplay) throw new Error('a key of another scope was taken');
    refs.push({ ...payer.scope, paymentId: accepted.paymentId });
  }
});
afterAll(() => harness.close());

/** Everything about a payment, and the balances of its scope. */
const all = ({ paymentId, customerId, environment }: Ref) =>
  harness.rows(
    `SELECT p.version, p.status, a.phase, a.sends, b.available, b.reserved FROM payments p
     JOIN settlement_attempts a ON a.payment_id = p.id
     JOIN balances b ON b.customer_id = p.customer_id AND b.environment = p.environment
     WHERE p.id = $1 AND p.customer_id = $2 AND p.environment = $3`,
    [paymentId, customerId, environment],
  );

it('a claim names payments of three scopes and takes its own', async () => {
  const { db } = harness.start();
  const [own, ...others] = refs;
  const before = await Promise.all(others.map(all));
  const claim = createClaimReady({
    requireRail: () => undefined,
    screener: EVER,
    ...{ db, vault: harness.vault, clock: harness.clock },
    corridors: harness.deps.corridors,
    networks: harness.deps.networks,
    timing: { test: TIMING, live: TIMING },
  });
  const claimed = await Promise.all(refs.map(({ paymentId }) => claim(harness.scope, paymentId)));
  expect(claimed.map((one) => one?.payment.id ?? null)).toEqual([own?.paymentId, null, null]);
  expect(await Promise.all(others.map(all))).toEqual(before);
});

it('an answer is written to no payment of another scope', async () => {
  const { db } = harness.start();
  const { corridors, networks } = harness.deps;
  const deps = { db, vault: harness.vault, clock: harness.clock, corridors, networks };
  const claim = createClaimReady({
    ...deps,
    requireRail: () => undefined,
    screener: EVER,
    timing: { test: TIMING, live: TIMING },
  });
  for (const ref of refs.slice(1)) {
    const claimed = await claim(ref, ref.paymentId);
    if (claimed === null) throw new Error('it was not claimed in its own scope');
    const before = await all(ref);
    const settled = { ...claimed.attempt, phase: 'SETTLED' } as const;
    const written = await db.write(harness.scope, (tx) =>
      updateUntouchedSends(tx, harness.scope, [{ attempt: settled, version: 1 }]),
    );
    expect(written).toBe(0);
    expect(await all(ref)).toEqual(before);
  }
});
