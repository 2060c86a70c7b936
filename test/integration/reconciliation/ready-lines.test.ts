import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createListedNetworks } from '../../../src/domain/onchain/listed-networks.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { advancePayment } from '../../../src/modules/payments/advance-payment.ts';
import { createClaimReady } from '../../../src/modules/payments/claim-ready.ts';
import { TIMING } from '../../support/payments/settlement-harness.ts';
import { approveEndUser } from '../../support/approve-end-user.ts';
import type { Seeded } from '../../support/seed-payments.ts';
import { createTestVault } from '../../support/test-vault.ts';
import {
  createReconciliationHarness,
  type ReconciliationHarness,
} from '../../support/reconciliation/reconciliation-harness.ts';
import type { EntryDraft } from '../../support/reconciliation/statement-xml.ts';
import { EVER } from '../../support/test-screening.ts';
import { testSettings } from '../../support/test-app.ts';

let harness: ReconciliationHarness;
beforeAll(async () => {
  harness = await createReconciliationHarness();
  const [row] = await harness.rows<{ id: string }>('SELECT id FROM end_users');
  const { scope } = harness.customer;
  await approveEndUser(harness.db, scope, row?.id ?? '', harness.clock.now());
});
afterAll(() => harness.close());

const deps = () => ({
  ...{ db: harness.db, clock: harness.clock, vault: createTestVault() },
  corridors: createCorridorTable(),
  networks: createListedNetworks(),
});
const claim = ({ id }: Seeded) =>
  createClaimReady({
    ...deps(),
    requireRail: () => undefined,
    screener: EVER,
    timing: { test: TIMING, live: TIMING },
  })(harness.customer.scope, id);
const advance = ({ id }: Seeded) =>
  advancePayment(
    {
      ...{ ...deps(), timing: TIMING, screenedSince: () => new Date(0) },
      encodeFor: () => () => new Uint8Array(),
      settings: testSettings(),
    },
    harness.customer.scope,
    id,
  );

/** What of a payment, and of all the customer's money, a line could have moved. */
const money = async ({ id }: Seeded) => ({
  balances: await harness.rows('SELECT currency, available, reserved FROM balances ORDER BY 1'),
  ledger: await harness.rows(
    `SELECT kind FROM ledger_transactions
     WHERE payment_id = $1 AND kind IN ('HOLD', 'SETTLE', 'RELEASE', 'RETURN') ORDER BY seq`,
    [id],
  ),
  attempts: await harness.rows(
    'SELECT phase, sends FROM settlement_attempts WHERE payment_id = $1',
    [id],
  ),
});

describe('a statement line with the reference of a payment of which nothing was sent', () => {
  it('is needed: without one the payment may leave', async () => {
    expect(await claim(await harness.pay('READY'))).toMatchObject({ attempt: { sends: 1 } });
  });

  it.each<{
    what: string;
    line: Omit<EntryDraft, 'reference'>;
    outcome: string;
    currency?: string;
  }>([
    { what: 'a debit of the whole', line: { amount: '10.00' }, outcome: 'UNEXPECTED_AT_BANK' },
    { what: 'a debit of one cent', line: { amount: '0.01' }, outcome: 'UNEXPECTED_AT_BANK' },
    {
      ...{ what: 'a debit of another currency', line: { amount: '10.00' }, currency: 'USD' },
      outcome: 'UNEXPECTED_AT_BANK',
    },
    {
      what: 'a return of the whole',
      line: { amount: '10.00', direction: 'CRDT', returnReason: 'AC04' },
      outcome: 'UNKNOWN_RETURN',
    },
  ])(
    '$what: nothing moves and nothing is sent, an operator is called',
    async ({ line, outcome, currency = 'EUR' }) => {
      const payment = await harness.pay('READY');
      const before = await money(payment);
      const { reference } = payment;
      const ref = await harness.reconcile({ currency, entries: [{ reference, ...line }] });
      expect(await harness.outcomes(ref)).toEqual([outcome]);
      expect(await harness.payment(payment.id)).toMatchObject({
        ...{ status: 'PROCESSING', reconciliation: 'EXCEPTION' },
      });
      for (const _look of [1, 2]) {
        expect(await claim(payment)).toBeNull();
        expect(await advance(payment)).toMatchObject({ kind: 'WAIT', needsHuman: true });
        expect((await harness.payment(payment.id)).status).toBe('ON_HOLD');
      }
      expect(await money(payment)).toEqual(before);
    },
  );

  it("a stranger's credit of one cent: no word of the bank, and the payment may leave", async () => {
    const payment = await harness.pay('READY');
    const { reference } = payment;
    const entries = [{ reference, amount: '0.01', direction: 'CRDT' }] as const;
    await harness.reconcile({ entries });
    expect(await harness.payment(payment.id)).toMatchObject({ reconciliation: 'PENDING' });
    expect(await claim(payment)).toMatchObject({ attempt: { reference, phase: 'SENDING' } });
  });
});
