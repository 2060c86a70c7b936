import { findPerson } from '../../../../src/modules/customers/access/sessions.ts';
import { readAttempts } from '../../../../src/db/payments/settlement-attempt-store.ts';
import { systemActor } from '../../../../src/domain/actor.ts';
import type { UserRole } from '../../../../src/domain/customers/access/user-rights.ts';
import { attemptClaimed } from '../../../../src/domain/payments/attempt.ts';
import type { PaymentChange } from '../../../../src/domain/payments/payment.ts';
import { settleByReport } from '../../../../src/domain/payments/settle-by-report.ts';
import type { SettlementTiming } from '../../../../src/domain/payments/settlement-timing.ts';
import type { TransferStatus } from '../../../../src/domain/payments/transfer-report.ts';
import type { Scope } from '../../../../src/domain/scope.ts';
import type { WorkflowClient } from '../../../../src/domain/workflows/workflow-client.ts';
import { changePayment } from '../../../../src/modules/payments/change-payment.ts';
import { holdForFault } from '../../../../src/modules/payments/hold-for-fault.ts';
import { withLockedPayment } from '../../../../src/modules/payments/lock-payment.ts';
import { settlementOf } from '../../../../src/modules/payments/locked-payment.ts';
import { saveAttempt, takeSteps } from '../../../../src/modules/payments/take-steps.ts';
import { issueFormToken } from '../../../../src/web/kit/forms/form-token.ts';
import { createPaymentHarness } from '../../payment-harness.ts';
import { testSettings } from '../../test-app.ts';
import { createTestClock } from '../../test-clock.ts';
import { addCustomer } from '../../test-customer.ts';
import { addTestUser } from '../../test-people.ts';
import { ENCODERS, NETWORKS } from '../../wallet-payments.ts';
import type { SiteAnswer } from '../site-client.ts';
import { startSite } from '../site.ts';

const TIMING = { attemptDeadlineMs: 10_000 } as SettlementTiming;

/** The API and the dashboard over one database, and a customer whose payments the test moves by hand. */
export async function startDashboard(workflows: Partial<WorkflowClient> = {}) {
  // Ids are made by the computer's clock, so the test's begins there.
  const clock = createTestClock(new Date());
  const networks = { test: NETWORKS.test, live: NETWORKS.test };
  const settings = testSettings({ networks });
  const harness = await createPaymentHarness({ clock, settings, encoderFor: ENCODERS });
  const { database, deps, payer } = harness;
  const on = { database, clock };
  const site = await startSite('dashboard', { workflows, networks, on });
  const { db } = database;
  const lock = { db, clock, corridors: deps.corridors };

  /** A user of that role, logged in: the Cookie header. */
  async function logIn(role: UserRole, customerId = payer.scope.customerId): Promise<string> {
    return site.logIn((await addTestUser(site.people, customerId, role)).id);
  }

  /** As the bank reports it, one after the other, of a payment that was queued. */
  async function settle(id: string, ...reports: readonly TransferStatus[]): Promise<void> {
    await withLockedPayment(lock, payer.scope, id, async (found) => {
      const { tx, scope, now } = found;
      const [ready] = await readAttempts(tx, scope, id);
      if (ready === undefined) throw new Error('the payment has no attempt');
      const attempt = attemptClaimed(ready, now, TIMING);
      const sent = await saveAttempt({ ...found, attempts: [ready] }, attempt);
      const claim = { statusDetail: 'SUBMITTING', hasOpenAttempt: true } as const;
      let locked = await changePayment(sent, claim, systemActor('settlement'));
      for (const status of reports) {
        const [known] = locked.attempts;
        if (known === undefined) throw new Error('the attempt is gone');
        const reason = status === 'REJECTED' ? 'AC04' : null;
        const report = { status, reason, bankReference: null, returnedAmount: null, at: null };
        const { steps } = settleByReport(
          settlementOf(locked, known),
          report,
          { kind: 'CALLBACK' },
          now,
        );
        locked = await takeSteps(locked, steps, systemActor('bank-callback'));
      }
    });
  }

  return {
    ...{ harness, site, clock, payer, db, logIn, settle },
    hold: (id: string) => holdForFault({ ...lock, timing: TIMING }, payer.scope, id),
    /** One more version of a payment, whatever it is. */
    change: (id: string, change: PaymentChange) =>
      withLockedPayment(lock, payer.scope, id, (locked) =>
        changePayment(locked, change, systemActor('engine')),
      ),
    /** Another customer that can pay, in test. */
    async addStranger() {
      const customerId = await db.system((tx) => addCustomer(tx));
      return harness.addPayer({ customerId, environment: 'test' });
    },
    /** A payment of another customer, or of the other environment. */
    async payAs(other: { token: string; endUserId: string; bankAccountId: string }) {
      const { endUserId, bankAccountId, token } = other;
      const answer = await harness.pay(
        harness.order({ endUserId, bankAccountId }),
        undefined,
        token,
      );
      return answer.json<{ id: string }>().id;
    },
    /** A form of the dashboard's for any path, as only the dashboard itself can make it. */
    async forge(cookie: string, path: string): Promise<URLSearchParams> {
      const token = cookie.slice(cookie.indexOf('=') + 1);
      const person = await findPerson(
        { ...site.people, operatorsNeedPasskeys: false },
        database.people,
        'dashboard',
        token,
        false,
      );
      const session = `session:${person?.sessionId ?? ''}`;
      const binding = { surface: 'dashboard', session, path };
      return new URLSearchParams({ form: issueFormToken(site.vault, binding, clock.now()) });
    },
    /** What was written down about people's acts, oldest first. */
    audit: (scope: Scope = payer.scope) =>
      harness.rows<{ actor: string; action: string; subject: string }>(
        `SELECT actor, action, subject FROM audit_log WHERE customer_id = $1 AND actor LIKE 'user:%'
         ORDER BY id`,
        [scope.customerId],
      ),
    async close() {
      await site.close();
      await harness.close();
    },
  };
}

export type TestDashboard = Awaited<ReturnType<typeof startDashboard>>;

/** What an answer is to a client that must not tell two of them apart. */
export const sameness = ({ status, body, headers }: SiteAnswer): string =>
  JSON.stringify([
    status,
    body,
    Object.entries(headers).filter(([name]) => !['date', 'x-request-id'].includes(name)),
  ]);
