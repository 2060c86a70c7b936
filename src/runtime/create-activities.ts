import { Context } from '@temporalio/activity';
import { createFxActivities } from '../../activities/fx.ts';
import { createKycActivities, KYC_POLL_TIMING } from '../../activities/kyc.ts';
import { createPaymentActivities } from '../../activities/payments.ts';
import { createReconciliationActivities } from '../../activities/reconciliation.ts';
import { createScreeningActivities } from '../../activities/screening.ts';
import { createSweepActivities } from '../../activities/sweep.ts';
import { createWebhookActivities } from '../../activities/webhooks.ts';
import { TASK_QUEUES } from '../../workflows/task-queues.ts';
import { wakeHeldPayments } from '../payments/wake-held-payments.ts';
import { createEcbSource } from '../providers/fx/ecb.ts';
import type { FxSource } from '../providers/fx/fx-source.ts';
import { createSnapshotSource } from '../providers/fx/snapshot.ts';
import { createHttpKycProvider } from '../providers/kyc/http-kyc-provider.ts';
import { openScreening } from './open-screener.ts';
import { openProviderDispatcher } from './provider-dispatcher.ts';
import type { Resources } from './resources.ts';

/** What is due so long and not done was lost on its way to Temporal. */
const LOST_AFTER_MS = 10_000;

/** How long a bank may take to put a payout on a statement: a long weekend, and a minute in test. */
const MISSING_AFTER_MS = { test: 60_000, live: 4 * 24 * 3_600_000 } as const;

/** Half of what a call of a KYC provider may take. */
const KYC_CONNECT_TIMEOUT_MS = 5_000;

/** The ECB's own address of its daily rates. */
const ECB_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml';

/** Every activity of the engine, over real rails and providers. */
export function createActivities(resources: Resources): object {
  const { db, vault, clock, workflows, log, config, connectors } = resources;
  const { screener, providers } = openScreening(resources);
  return {
    ...createPaymentActivities({
      ...{ db, vault, clock, connectors, screener },
      timing: config.timing,
      onScreeningFailure: (code, paymentId) => {
        log.warn({ code, paymentId }, 'a payment waits: names cannot be looked up');
      },
    }),
    ...createScreeningActivities({
      ...{ db, clock, screener, providers },
      heartbeat: (screened) => {
        Context.current().heartbeat(screened);
      },
      onFailure: (code, environment) => {
        log.warn({ code, environment }, 'the screening provider did not answer as agreed');
      },
      onUnreadable: ({ id }) => {
        log.error({ party: id }, 'no key opens the names of a party');
      },
    }),
    ...createKycActivities({
      db,
      vault,
      clock,
      providers: kycProviders(resources),
      timing: KYC_POLL_TIMING,
      onKycMoved: (scope, endUserId, status) =>
        wakeHeldPayments({ db, workflows }, scope, endUserId, status),
      onProviderFailure: (code, kycCheckId) => {
        log.warn({ code, kycCheckId }, 'the KYC provider did not answer as agreed');
      },
    }),
    ...createWebhookActivities({
      db,
      vault,
      clock,
      random: Math.random,
      allowLoopbackInTest: config.http.webhookAllowLoopbackInTest,
      slowTaskQueue: TASK_QUEUES.webhooksSlow,
    }),
    ...createSweepActivities({
      db,
      clock,
      workflows,
      lostAfterMs: LOST_AFTER_MS,
      raiseUnknownReference: (report) => {
        log.error(report, 'a bank reports on a reference that is not ours');
      },
    }),
    ...createFxActivities({
      db,
      clock,
      sources: fxSources(resources),
      onRefused: (refused) => {
        log.error({ refused: refused.length, first: refused[0]?.reason }, 'rates were refused');
      },
    }),
    ...createReconciliationActivities({
      db,
      clock,
      connectors,
      wakePayment: (workflowId, payment, reportId) =>
        workflows.wakePayment(workflowId, payment, reportId),
      alarm: (alarm) => {
        log.error({ alarm }, 'reconciliation needs a human');
      },
      heartbeat: (line) => {
        Context.current().heartbeat(line);
      },
      missingAfterMs: MISSING_AFTER_MS,
    }),
  };
}

function kycProviders({ config }: Resources) {
  const entries = Object.entries(config.providers.kyc).map(([environment, provider]) => {
    const dispatcher = openProviderDispatcher(provider, KYC_CONNECT_TIMEOUT_MS);
    return [environment, createHttpKycProvider({ url: provider.url, dispatcher })] as const;
  });
  return Object.fromEntries(entries);
}

function fxSources({ config }: Resources): FxSource[] {
  if (config.fx.source === 'snapshot') return [createSnapshotSource()];
  return [createEcbSource({ url: config.fx.ecbUrl ?? ECB_URL })];
}
