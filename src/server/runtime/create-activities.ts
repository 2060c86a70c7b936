import { Context } from '@temporalio/activity';
import { createDepositActivities } from '../../../activities/onchain/deposits.ts';
import { createFinalityActivities } from '../../../activities/payments/finality.ts';
import { createFxActivities } from '../../../activities/payments/fx.ts';
import { createKeyExpiryActivities } from '../../../activities/customers/key-expiry.ts';
import { createKycExpiryActivities } from '../../../activities/parties/kyc-expiry.ts';
import { createKycActivities } from '../../../activities/parties/kyc.ts';
import { KYC_POLL_TIMING } from '../../modules/parties/kyc/advance-kyc-check.ts';
import { createMailActivities } from '../../../activities/customers/mails.ts';
import { createOnboardingActivities } from '../../../activities/customers/onboarding.ts';
import { createPaymentActivities } from '../../../activities/payments/payments.ts';
import { createPaymentBatchActivities } from '../../../activities/payments/payment-batches.ts';
import { createReconciliationActivities } from '../../../activities/reconciliation/reconciliation.ts';
import { createScreeningActivities } from '../../../activities/parties/screening.ts';
import { createReconcilerActivities } from '../../../activities/operations/reconciler.ts';
import { createWebhookActivities } from '../../../activities/webhooks/webhooks.ts';
import { TASK_QUEUES } from '../../domain/workflows/task-queues.ts';
import { payOnDeposit } from '../../modules/onchain/deposits/pay-on-deposit.ts';
import { payOnDueDeposits } from '../../modules/onchain/deposits/pay-on-due-deposits.ts';
import { notifyOperators } from '../../modules/customers/mail/notify-operators.ts';
import { tellPaymentApprovers } from '../../modules/customers/mail/tell-payment-approvers.ts';
import { tellOfOverdue } from '../../modules/customers/mail/tell-of-overdue.ts';
import { wakeHeldPayments } from '../../modules/payments/wake-held-payments.ts';
import { createHttpKycProvider } from '../../adapters/kyc/http-kyc-provider.ts';
import { sealAuditLog } from '../../modules/operations/seal-audit-log.ts';
import { describeFault } from '../../web/kit/http/describe-fault.ts';
import { countAttempts } from '../monitor/count-attempts.ts';
import { exceptionKind } from '../monitor/metric-list.ts';
import { openAddressScreening } from './open-address-screening.ts';
import { chainPlaces, openReaders } from './open-readers.ts';
import { createEncoderFor } from '../../modules/payments/encoder-for.ts';
import { openMailRelay } from './open-mail-relay.ts';
import { openFxSources } from './open-fx-sources.ts';
import { openTravelRuleProviders } from './open-travel-rule.ts';
import { openScreening } from './open-screener.ts';
import { openProviderDispatcher } from './provider-dispatcher.ts';
import { repeatAlarms } from './repeat-alarms.ts';
import { codeOf, type Resources } from './resources.ts';

/** What is due so long and not done was lost on its way to Temporal. */
const LOST_AFTER_MS = 10_000;

/** How long a bank may take to put a payout on a statement: a long weekend, and a minute in test. */
const MISSING_AFTER_MS = { test: 60_000, live: 4 * 24 * 3_600_000 } as const;

/** Half of what a call of a KYC provider may take. */
const KYC_CONNECT_TIMEOUT_MS = 5_000;

/** How long acts that are being written down are waited for. */
const AUDIT_WRITERS_WAIT_MS = 5_000;

const DAY_MS = 24 * 3_600_000;
/** Rates that one line of the log names. */
const ALARMS_MAX = 20;

/** Every activity of the engine, over real rails and providers. */
export function createActivities(resources: Resources): object {
  const { db, vault, clock, corridors, networks, workflows, log, config, connectors, metrics } =
    resources;
  const { timing } = config;
  const { screener, providers } = openScreening(resources);
  const addressScreening = openAddressScreening(resources);
  const settings = { fx: config.fx, quotes: config.quotes, fees: config.fees };
  const accepting = {
    ...{ db, vault, clock, corridors, networks, workflows, settings },
    encoderFor: createEncoderFor(connectors, screener),
  };
  const alarmUnpaid = repeatAlarms<{ depositId: string; code: string }>(clock, (alarm) => {
    log.error(alarm, 'off-ramp payout failed; it is retried');
  });
  const onFault = (depositId: string, error: unknown): void => {
    alarmUnpaid({ depositId, code: codeOf(error) });
  };
  const onContradiction = (kycCheckId: string, version: number): void => {
    log.error({ kycCheckId, version }, 'KYC provider contradicts its earlier answer');
  };
  return {
    ...createPaymentActivities({
      ...{ db, vault, clock, corridors, networks, connectors, screener, timing },
      ...{ addressScreening, settings },
      travelRule: openTravelRuleProviders(resources),
      onTravelRuleFailure: (code, paymentId) => {
        log.warn({ code, paymentId }, 'payment waits: the VASP of its wallet cannot be reached');
      },
      onScreeningFailure: (code, paymentId) => {
        log.warn({ code, paymentId }, 'payment waits: the screening provider cannot be reached');
      },
    }),
    ...createDepositActivities({
      readerOf: openReaders(resources, addressScreening),
      cancellation: () => Context.current().cancellationSignal,
      payOnDeposits: (place) => payOnDueDeposits({ ...accepting, onFault }, place),
      onUnreadable: (place, why) => {
        log.warn({ ...place, why }, 'network could not be read for deposits; it is read again');
      },
    }),
    ...createPaymentBatchActivities({
      ...accepting,
      onFault: ({ batchId, itemIndex }, error) => {
        log.error({ batchId, itemIndex, fault: describeFault(error) }, 'an item of a batch failed');
      },
    }),
    ...createScreeningActivities({
      ...{ db, clock, screener, providers },
      heartbeat: (screened) => {
        Context.current().heartbeat(screened);
      },
      onFailure: (code, environment) => {
        log.warn({ code, environment }, 'screening provider broke its contract');
      },
      onUnreadable: ({ id }) => {
        log.error({ party: id }, 'names of a party could not be decrypted');
      },
      onUnfinished: (id, error) => {
        log.error({ review: id, code: codeOf(error) }, 'what was decided could not be carried out');
      },
    }),
    ...createKycActivities({
      db,
      vault,
      clock,
      providers: kycProviders(resources),
      timing: KYC_POLL_TIMING,
      approvalDays: config.kyc.approvalDays,
      onKycMoved: (scope, endUserId, status) =>
        wakeHeldPayments({ db, workflows }, scope, endUserId, status),
      onProviderFailure: (code, kycCheckId) => {
        log.warn({ code, kycCheckId }, 'KYC provider broke its contract');
      },
      onContradiction,
    }),
    ...createKycExpiryActivities({
      ...{ db, clock, onContradiction },
      approvalDays: config.kyc.approvalDays,
    }),
    ...createKeyExpiryActivities({ db, vault, clock, dashboardUrl: config.web.dashboardUrl }),
    ...createFinalityActivities({
      ...{ db, clock },
      heartbeat: () => {
        Context.current().heartbeat();
      },
      raiseLateReturn: (late) => {
        log.error(late, 'late return: money of a final payment came back');
      },
    }),
    ...createWebhookActivities({
      db,
      vault,
      clock,
      random: Math.random,
      allowLoopbackInTest: config.http.webhookAllowLoopbackInTest,
      dashboardUrl: config.web.dashboardUrl,
      slowTaskQueue: TASK_QUEUES.webhooksSlow,
      onRecorded: countAttempts.bind(null, metrics),
    }),
    ...createMailActivities({ db, vault, clock, relay: openMailRelay(config) }),
    ...createOnboardingActivities({ db, vault, clock, workflows, opsUrl: config.web.opsUrl }),
    ...createReconcilerActivities({
      db,
      clock,
      workflows,
      chains: chainPlaces(config.chain),
      lostAfterMs: LOST_AFTER_MS,
      raiseUnknownReference: (report) => {
        log.error(report, 'bank reported an unknown reference');
      },
      payOnDeposit: (deposit) => payOnDeposit(accepting, deposit),
      notifyOperators: () => notifyOperators({ db, vault, clock, opsUrl: config.web.opsUrl }),
      tellPaymentApprovers: () =>
        tellPaymentApprovers({ db, vault, clock, dashboardUrl: config.web.dashboardUrl }),
      tellOfOverdue: () =>
        tellOfOverdue({
          ...{ db, vault, clock, corridors, opsUrl: config.web.opsUrl },
          measure: (overdue) => {
            log.info({ metric: 'overdue', ...overdue }, 'overdue');
          },
        }),
      sealAuditLog: () =>
        sealAuditLog({
          ...{ db, vault, clock, writersWaitMs: AUDIT_WRITERS_WAIT_MS },
          onSealed: (seal) => {
            log.info(seal, 'audit log sealed');
          },
          onHeldUp: (writers) => {
            log.error(
              { writers },
              'audit log not sealed: transactions that write to it do not end',
            );
          },
        }),
    }),
    ...createFxActivities({
      db,
      clock,
      sources: openFxSources(config.fx),
      releasedPegs: config.fx.releasedPegs,
      moveMaxPercent: String(config.fx.moveMaxPercent),
      rateMaxAgeMs: config.fx.rateMaxAgeMs,
      historyMs: config.fx.historyDays * DAY_MS,
      alarms: {
        sourceFailed: ({ source, message }) => {
          log.error({ source, problem: message }, 'rate source failed');
        },
        ratesRefused: (refused) => {
          const rates = refused.slice(0, ALARMS_MAX).map(({ leg, reason }) => {
            return { source: leg.source, pair: `${leg.base}/${leg.quote}`, reason };
          });
          log.error({ refused: refused.length, rates }, 'rates were refused');
        },
        sourcesDisagree: (currencies) => {
          log.error({ currencies }, 'rate sources disagree; their rates count as stale');
        },
      },
    }),
    ...createReconciliationActivities({
      db,
      clock,
      corridors,
      connectors,
      wakePayment: (workflowId, payment, reportId) =>
        workflows.wakePayment(workflowId, payment, reportId),
      alarm: (alarm) => {
        const kind = alarm.kind === 'EXCEPTION' ? alarm['exception'] : alarm.kind;
        metrics.count('exceptions', { kind: exceptionKind(kind) });
        log.error({ alarm }, 'reconciliation needs an operator');
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
