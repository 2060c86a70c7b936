import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { ActivityError } from '../../../activities/failures.ts';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import type { PaymentActivities } from '../../../activities/types.ts';
import type { PaymentStep } from '../../../src/domain/payments/next-step.ts';
import { findPayment, type PaymentRow } from '../../../src/db/payments/payment-store.ts';
import { readHistory } from '../../../src/db/payments/payment-history-store.ts';
import {
  readAttempts,
  type AttemptRow,
} from '../../../src/db/payments/settlement-attempt-store.ts';
import type { SettlementTiming } from '../../../src/domain/payments/settlement-timing.ts';
import { createHttpBank } from '../../../src/adapters/http-bank/http-bank.ts';
import type { PayoutConnector } from '../../../src/domain/payments/connector.ts';
import { createConnectorRegistry } from '../../../src/domain/payments/connector-registry.ts';
import { createSandboxBank, type SandboxBank } from '../../../src/sandbox/bank/sandbox-bank.ts';
import {
  createPaymentHarness,
  type PaymentHarness,
  type PaymentHarnessOverrides,
} from '../payment-harness.ts';
import { signedCallback } from '../signed-callback.ts';
import { testSettings, type OpenScreener } from '../test-app.ts';
import { createTestClock } from '../test-clock.ts';
import { startScriptedBank, type ScriptedBank } from './scripted-bank.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const BANK_TIMINGS = {
  decideAfterMs: 20,
  returnAfterMs: 40,
  statementEveryMs: 600_000,
  callbackSpacingMs: 20,
  callbacks: { triesMax: 20, firstRetryMs: 5, retryMaxMs: 20, timeoutMs: 2_000 },
};

/**
 * The test environment's own distances, but for two: the bank call takes real time, also on a busy machine, and the bank is
 * asked every 10 s at the least.
 */
export const TIMING: SettlementTiming = {
  bankTimeoutMs: 1_500,
  attemptDeadlineMs: 3_000,
  askFirstMs: 1_000,
  askMaxMs: 10_000,
  missingAfterMs: 2_000,
  stalledAfterMs: 30_000,
  retryFirstMs: 1_000,
  retryMaxMs: 10_000,
  holdCheckMs: 10_000,
};

export interface Told {
  readonly payment: PaymentRow;
  readonly attempts: readonly AttemptRow[];
  /** Every version as "STATUS/DETAIL", oldest first. */
  readonly story: readonly string[];
}

export interface SettlementHarness extends PaymentHarness {
  readonly activities: PaymentActivities;
  readonly connector: PayoutConnector;
  /** One run of the settle activity. */
  settle(paymentId: string): Promise<PaymentStep>;
  /**
   * What the workflow does: settle, let the time pass that it says, settle again, until the payment
   * is done, waits for a human, or `until` says so.
   */
  drive(paymentId: string, until?: (told: Told) => boolean): Promise<Told>;
  applyTransferReports(paymentId: string): Promise<PaymentStep>;
  tell(paymentId: string): Promise<Told>;
  /** A signed callback over HTTP; answers the status code. */
  callback(word: object, overrides?: { id?: string; secret?: string }): Promise<number>;
}

async function startHarness(
  openBank: (callbackUrl: string) => Promise<string>,
  openScreener?: OpenScreener,
  { settings, timing, ...others }: ScriptedOverrides = {},
): Promise<SettlementHarness> {
  const harness = await createPaymentHarness({
    clock: createTestClock(new Date()),
    settings: testSettings({ ...settings, bankCallbackSecrets: { test: SECRET } }),
    ...others,
    ...(openScreener && { openScreener }),
  });
  const clock = harness.deps.clock as ReturnType<typeof createTestClock>;
  const apiUrl = await harness.app.listen({ host: '127.0.0.1', port: 0 });
  const connector = createHttpBank({
    baseUrl: await openBank(`${apiUrl}/api/v1/rails/http-bank/callbacks`),
    name: 'http-bank',
    limits: { connectTimeoutMs: 1_000 },
  });
  const { db, corridors, networks } = harness.deps;
  const activities = createPaymentActivities({
    ...{ db, vault: harness.vault, clock, corridors, networks },
    connectors: createConnectorRegistry([
      { environment: 'test', payout: connector, statements: null },
    ]),
    timing: { test: { ...TIMING, ...timing }, live: { ...TIMING, ...timing } },
    screener: harness.screener,
    addressScreening: harness.deps.addressScreening,
    settings: harness.deps.settings,
    onScreeningFailure: () => undefined,
  });
  const { scope } = harness;
  const ref = (paymentId: string) => ({ ...scope, paymentId });

  const tell = (paymentId: string): Promise<Told> =>
    db.read(scope, async (tx) => {
      const payment = await findPayment(tx, scope, paymentId);
      if (payment === null) throw new Error('the payment is gone');
      const history = await readHistory(tx, scope, [paymentId]);
      return {
        payment,
        attempts: await readAttempts(tx, scope, paymentId),
        story: history.map((row) => `${row.status}/${row.statusDetail}`),
      };
    });

  const begun = new Set<string>();
  /** As the workflow calls it: the first step of a payment looks for its READY attempt. */
  const settle = (paymentId: string): Promise<PaymentStep> => {
    const isFirst = !begun.has(paymentId);
    begun.add(paymentId);
    return activities.settle({ ...ref(paymentId), isFirst });
  };

  return {
    ...harness,
    clock,
    activities,
    connector,
    settle,
    async drive(paymentId, until = () => false) {
      for (let step = 0; step < 200; step += 1) {
        const next = await settle(paymentId).catch((error: unknown) => {
          if (error instanceof ActivityError && error.code === 'BANK_UNREACHABLE') return null;
          throw error;
        });
        const told = await tell(paymentId);
        if (next?.kind === 'DONE' || until(told)) return told;
        if (next?.kind === 'WAIT' && next.needsHuman) return told;
        clock.advance(next === null ? 1_000 : next.waitMs);
      }
      throw new Error('the payment comes to no end');
    },
    applyTransferReports: (paymentId) => activities.applyTransferReports(ref(paymentId)),
    tell,
    async callback(word, { id = `msg_${randomUUID()}`, secret = SECRET } = {}) {
      const body = JSON.stringify({ at: clock.now().toISOString(), ...word });
      const timestampSeconds = Math.floor(clock.now().getTime() / 1_000);
      const answer = await harness.app.inject({
        ...signedCallback(secret, { id, timestampSeconds, body }),
        payload: body,
      });
      return answer.statusCode;
    },
    async close() {
      await connector.close();
      await harness.close();
    },
  };
}

export interface SandboxHarness extends SettlementHarness {
  readonly bank: SandboxBank;
  /** Orders a fault for the bank's next PUTs. */
  fault(name: string, count?: number): Promise<void>;
  /** The books hold, and I2: the bank's own journal agrees with what became of every payment. */
  expectMoneyMovedOnce(): Promise<void>;
}

/** Settlement against the real sandbox bank, whose callbacks arrive at the real route. */
export async function startSandboxHarness(): Promise<SandboxHarness> {
  let bank: SandboxBank | undefined;
  const harness = await startHarness(async (callbackUrl) => {
    bank = await createSandboxBank({
      ...{ journalFile: null, callbackUrl, callbackSecret: SECRET, magic: true },
      clock: { now: () => new Date() },
      timings: BANK_TIMINGS,
      log: { info: () => undefined, warn: () => undefined },
    });
    return bank.listen(0);
  });
  if (bank === undefined) throw new Error('there is no bank');
  const opened = bank;
  return {
    ...harness,
    bank: opened,
    async fault(name, count = 1) {
      const body = JSON.stringify({ fault: name, count });
      const answer = await fetch(`${opened.url}/faults`, { method: 'POST', body });
      expect(answer.status).toBe(202);
    },
    async expectMoneyMovedOnce() {
      await harness.expectBooksToHold();
      await expectBankToAgree(harness, opened);
    },
    async close() {
      await opened.close();
      await harness.close();
    },
  };
}

async function expectBankToAgree(harness: SettlementHarness, bank: SandboxBank): Promise<void> {
  const attempts = await harness.rows<{ id: string; status: string; refs: string[] }>(
    `SELECT p.id, p.status, array_agg(a.reference ORDER BY a.number) AS refs
     FROM payments p JOIN settlement_attempts a ON a.payment_id = p.id GROUP BY p.id, p.status`,
  );
  for (const { id, status, refs } of attempts) {
    const moved = refs.reduce((sum, one) => sum + bank.countMoney(one).executed.count, 0);
    const wasPaid = status === 'COMPLETED' || status === 'RETURNED';
    if (wasPaid) expect(moved, `${id} is ${status}`).toBe(1);
    else if (status === 'FAILED') expect(moved, `${id} is ${status}`).toBe(0);
    else expect(moved, `${id} is ${status}`).toBeLessThanOrEqual(1);
  }
}

export interface ScriptedHarness extends SettlementHarness {
  readonly bank: ScriptedBank;
}

/** What of the installation a test is about. */
export interface ScriptedOverrides extends Pick<PaymentHarnessOverrides, 'funds' | 'corridors'> {
  readonly settings?: Parameters<typeof testSettings>[0];
  /** What differs from TIMING. */
  readonly timing?: Partial<SettlementTiming>;
}

/** Settlement against a bank that does what the test tells it to. */
export async function startScriptedHarness(
  screenerOver?: OpenScreener,
  overrides?: ScriptedOverrides,
): Promise<ScriptedHarness> {
  const bank = await startScriptedBank();
  const harness = await startHarness(async () => bank.url, screenerOver, overrides);
  return {
    ...harness,
    bank,
    async close() {
      await bank.close();
      await harness.close();
    },
  };
}
