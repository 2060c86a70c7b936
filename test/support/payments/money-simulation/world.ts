import { readFeesFile } from '../../../../src/server/config/fees-file.ts';
import { createFeeSchedule } from '../../../../src/domain/payments/fees/fee-schedule.ts';
import { createCorridorTable } from '../../../../src/domain/payments/corridors/corridor-table.ts';
import { createPaymentHarness } from '../../payment-harness.ts';
import { startRatePublisher } from '../../rate-publisher.ts';
import { signedCallback } from '../../signed-callback.ts';
import { testSettings } from '../../test-app.ts';
import { createTestClock } from '../../test-clock.ts';
import { createAgenda } from './agenda.ts';
import { startBank } from './bank.ts';
import { createBankJournal } from './bank-journal.ts';
import { createBankStatements } from './bank-statements.ts';
import { DESTINATIONS } from './currencies.ts';
import { marketOf } from './market.ts';
import type { OrderPlan } from './order-plan.ts';
import { TWINS_FROM } from './partner.ts';
import { addSimulatedPayer, equipPayer, HARNESS_FUNDS } from './payers.ts';
import { PRICING } from './price.ts';
import { FEES } from './schedule-of-fees.ts';
import { createEngine } from './engine.ts';
import { createWorkflows } from './workflows.ts';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const DAY_MS = 24 * 3_600_000;
export const STARTS_AT = new Date('2026-11-23T00:00:00.000Z');

/** For so long a payment may come back after it was delivered. */
export const RETURN_WINDOW_MS = 3 * DAY_MS;

/** Things of the engine at work at once: more than its connections. */
const RUNNERS = 24;

export type World = Awaited<ReturnType<typeof openWorld>>;

/** The real engine on a database of its own, a bank, a market and customers with money, at one clock. */
export async function openWorld(seed: number, plans: readonly OrderPlan[]) {
  const clock = createTestClock(STARTS_AT);
  const agenda = createAgenda(clock, RUNNERS);
  const market = marketOf(seed);
  const wakePayment = async (_workflowId: string, ref: { paymentId: string }) =>
    workflows.wake(ref.paymentId);
  const idle = async (): Promise<void> => undefined;
  const fees = readFeesFile({ fees: FEES });
  if (!fees.ok) throw new Error(fees.lines.join());
  const pricing = { ...testSettings().quotes, test: PRICING };
  const returnWindows = { testMs: RETURN_WINDOW_MS, liveDefaultDays: 10 };
  const corridors = createCorridorTable({ returnWindows });
  const harness = await createPaymentHarness({
    ...{ clock, corridors },
    funds: HARNESS_FUNDS,
    settings: testSettings({
      ...{
        bankCallbackSecrets: { test: SECRET },
        quotes: pricing,
        fees: createFeeSchedule(fees.rows),
      },
    }),
    workflows: {
      ...{ startPayment: idle, restartPayment: idle, wakePayment },
      ...{ startKycCheck: idle, restartKycCheck: idle, wakeKycCheck: idle },
      ...{
        wakeEndpoint: idle,
        startScreening: idle,
        startMail: idle,
        wakeOnboarding: idle,
        startChain: idle,
        wakeChain: idle,
        startDeposits: idle,
        wakeDeposits: idle,
        startPaymentBatch: idle,
      },
    },
  });
  const { db } = harness.database;
  const payers = [await equipPayer(harness, harness.payer), await addSimulatedPayer(harness)];

  const journal = createBankJournal(agenda.now);
  const planOf = (order: number) => plans[order % TWINS_FROM]!.bank;
  const opening = new Map(
    DESTINATIONS.map(({ currency }) => [
      currency,
      payers.reduce((sum, payer) => sum + payer.funded.get(currency)!, 0n),
    ]),
  );
  const statements = createBankStatements({ journal, opening });
  const bank = await startBank({
    ...{ journal, agenda, planOf, statements },
    async tell(word, messageId) {
      const body = JSON.stringify({ at: clock.now().toISOString(), ...word });
      const timestampSeconds = Math.floor(clock.now().getTime() / 1_000);
      const message = { id: messageId, timestampSeconds, body };
      const answer = await harness.app.inject({
        ...signedCallback(SECRET, message),
        payload: body,
      });
      if (answer.statusCode !== 202) throw new Error(`the callback got ${answer.body}`);
    },
  });
  const publisher = await startRatePublisher('');
  const engine = createEngine({
    ...{ db, clock, corridors, harness, wakePayment, bankUrl: bank.url, ratesUrl: publisher.url },
  });
  const { payments, reconciliation } = engine;
  const workflows = createWorkflows({ agenda, activities: () => payments });

  return {
    /** What the bank says lies on our accounts, on its last statement. Minor units by currency. */
    atBank: statements.balances,
    ...{ harness, clock, agenda, market, payers, journal, workflows },
    /** Days since the simulation began. */
    day: () => Math.floor((clock.now().getTime() - STARTS_AT.getTime()) / DAY_MS),
    /** The publisher's page of today is fetched and believed. */
    async refreshRates(day: number): Promise<void> {
      publisher.answer(market.documentOf(day, clock.now().toISOString().slice(0, 10)));
      await engine.refreshRates();
    },
    finalise: engine.finalise,
    /** The bank closes its day, and the engine reads what it lists. */
    async closeBankDay(): Promise<void> {
      const to = clock.now();
      statements.close(new Date(to.getTime() - DAY_MS), to);
      for (const ref of await reconciliation.listStatements('test')) {
        await reconciliation.readStatement(ref);
        await reconciliation.reconcileStatement(ref);
      }
    },
    async close(): Promise<void> {
      await Promise.all([engine.close(), publisher.close(), bank.close()]);
      await harness.close();
    },
  };
}
