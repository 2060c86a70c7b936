import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReconcilerActivities } from '../../../activities/operations/reconciler.ts';
import type { WorkflowClient } from '../../../src/domain/workflows/workflow-client.ts';
import { createPaymentHarness, type PaymentHarness } from '../../support/payment-harness.ts';
import { createTestClock } from '../../support/test-clock.ts';

const NOW = new Date('2026-09-29T12:00:00.000Z');
const LONG_AGO = new Date(NOW.getTime() - 2 * 3_600_000);
/** Two pages of the reconciler, and one row more. */
const COUNT = 1_001;

let harness: PaymentHarness;
beforeAll(async () => {
  harness = await createPaymentHarness();
  const { customerId, environment } = harness.scope;
  const { endUserId, bankAccountId } = harness.payer;
  const own = [customerId, environment, LONG_AGO, COUNT];
  await harness.rows(
    `WITH many AS (
       INSERT INTO payments (id, customer_id, environment, end_user_id, bank_account_id,
         idempotency_key, workflow_id, rail, currency, amount, source_currency, source_amount,
         personal, status, status_detail, funds_status, created_at, updated_at)
       SELECT 'pay_' || lpad(n::text, 26, '0'), $1, $2, $5, $6, 'key-' || n, 'payment/' || n, 'SEPA',
         'EUR', 100, 'EUR', 100, '\\x00', 'SENT', 'IN_SETTLEMENT', 'IN_TRANSIT', $3, $3
       FROM generate_series(1, $4::int) n RETURNING id)
     INSERT INTO transfer_reports (customer_id, environment, payment_id, reference, source, report_id,
       status, received_at)
     SELECT $1, $2, id, id, 'CALLBACK', id, 'SETTLED', $3 FROM many`,
    [...own, endUserId, bankAccountId],
  );
  await harness.rows(
    `WITH many AS (
       INSERT INTO kyc_checks (id, customer_id, environment, end_user_id, round, link_token_hmac,
         link_token, link_expires_at, created_at, updated_at)
       SELECT 'kyc_' || lpad(n::text, 26, '0'), $1, $2, $5, 100 + n, int4send(n), '\\x00', $3, $3, $3
       FROM generate_series(1, $4::int) n RETURNING id)
     INSERT INTO kyc_reports (customer_id, environment, kyc_check_id, report_id, status,
       provider_version, received_at)
     SELECT $1, $2, id, id, 'APPROVED', 1, $3 FROM many`,
    [...own, endUserId],
  );
  await harness.rows(
    `WITH many AS (
       INSERT INTO webhook_endpoints (id, customer_id, environment, url, types, secret, created_at,
         updated_at)
       SELECT 'whe_' || lpad(n::text, 26, '0'), $1, $2, 'https://93.184.216.34/', '{}', '\\x00', $3, $3
       FROM generate_series(1, $4::int) n RETURNING id),
     one_event AS (
       INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
         resource_version, body, created_at)
       VALUES ('evt_one', $1, $2, 'payment.created', 'payment', 'pay_x', 1, '{}', $3) RETURNING id)
     INSERT INTO webhook_deliveries (customer_id, environment, endpoint_id, event_id, resource_id,
       resource_version, next_attempt_at)
     SELECT $1, $2, many.id, one_event.id, 'pay_x', 1, $3 FROM many, one_event`,
    own,
  );
});
afterAll(() => harness.close());

/** A reconciler whose every wake fails, and whom it tried to wake. */
async function tryToWake() {
  const tried = { payments: [] as string[], checks: [] as string[], endpoints: [] as string[] };
  const fail = () => Promise.reject(new Error('it cannot be woken'));
  const workflows: WorkflowClient = {
    ...{
      startPaymentBatch: fail,
      startPayment: fail,
      restartPayment: fail,
      startKycCheck: fail,
      restartKycCheck: fail,
    },
    startScreening: fail,
    startMail: fail,
    wakeOnboarding: fail,
    startChain: fail,
    wakeChain: fail,
    startDeposits: fail,
    wakeDeposits: fail,
    wakePayment(_workflowId, { paymentId }) {
      tried.payments.push(paymentId);
      return fail();
    },
    wakeKycCheck({ kycCheckId }) {
      tried.checks.push(kycCheckId);
      return fail();
    },
    wakeEndpoint({ endpointId }) {
      tried.endpoints.push(endpointId);
      return fail();
    },
  };
  const { db } = harness.database;
  const deps = { db, clock: createTestClock(NOW), chains: [], lostAfterMs: 10_000, workflows };
  const raiseUnknownReference = () => undefined;
  const reconcile = createReconcilerActivities({
    ...{ ...deps, raiseUnknownReference },
    payOnDeposit: async () => undefined,
    notifyOperators: () => Promise.resolve(),
    tellPaymentApprovers: () => Promise.resolve(),
    tellOfOverdue: () => Promise.resolve(),
    sealAuditLog: () => Promise.resolve(),
  }).repeatWakes();
  await expect(reconcile).rejects.toThrow('it cannot be woken');
  return tried;
}

describe('repeatWakes', () => {
  it('comes to every workflow behind pages of those that cannot be woken, once', async () => {
    const tried = await tryToWake();
    for (const ids of Object.values(tried)) {
      expect(new Set(ids).size).toBe(COUNT);
      expect(ids).toHaveLength(COUNT);
    }
  });
});
