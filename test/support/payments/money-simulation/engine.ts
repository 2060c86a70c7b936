import { createFinalityActivities } from '../../../../activities/payments/finality.ts';
import { createFxActivities } from '../../../../activities/payments/fx.ts';
import { createPaymentActivities } from '../../../../activities/payments/payments.ts';
import { createReconciliationActivities } from '../../../../activities/reconciliation/reconciliation.ts';
import { createListedNetworks } from '../../../../src/domain/onchain/listed-networks.ts';
import { createHttpBank } from '../../../../src/adapters/http-bank/http-bank.ts';
import { createConnectorRegistry } from '../../../../src/domain/payments/connector-registry.ts';
import type { Database } from '../../../../src/db/client/database.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import type { CorridorTable } from '../../../../src/domain/payments/corridors/corridor-table.ts';
import type { SettlementTiming } from '../../../../src/domain/payments/settlement-timing.ts';
import type { WorkflowClient } from '../../../../src/domain/workflows/workflow-client.ts';
import { createHttpSource } from '../../../../src/adapters/fx/http-source.ts';
import type { PaymentHarness } from '../../payment-harness.ts';

const DAY_MS = 24 * 3_600_000;

/** As in live, so that days are days; but for the bank's call, which takes real time. */
const TIMING: SettlementTiming = {
  bankTimeoutMs: 1_500,
  attemptDeadlineMs: 45_000,
  askFirstMs: 30_000,
  askMaxMs: 6 * 3_600_000,
  missingAfterMs: 60_000,
  stalledAfterMs: DAY_MS,
  retryFirstMs: 30_000,
  retryMaxMs: 3_600_000,
  holdCheckMs: 12 * 3_600_000,
};

export interface EngineDeps extends Pick<WorkflowClient, 'wakePayment'> {
  readonly db: Database;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
  readonly harness: Pick<PaymentHarness, 'vault' | 'screener' | 'deps'>;
  readonly bankUrl: string;
  readonly ratesUrl: string;
}

/** The activities of a worker, over the real connector of the bank and the real source of rates. */
export function createEngine({ db, clock, corridors, harness, wakePayment, ...urls }: EngineDeps) {
  const { bankUrl, ratesUrl } = urls;
  const connector = createHttpBank({ baseUrl: bankUrl, name: 'http-bank' });
  const connectors = createConnectorRegistry([
    { environment: 'test', payout: connector, statements: connector },
  ]);
  const payments = createPaymentActivities({
    ...{ db, vault: harness.vault, clock, corridors, connectors },
    networks: createListedNetworks(),
    timing: { test: TIMING, live: TIMING },
    screener: harness.screener,
    addressScreening: {},
    settings: harness.deps.settings,
    onScreeningFailure: () => undefined,
  });
  const reconciliation = createReconciliationActivities({
    ...{ db, clock, corridors, connectors, wakePayment },
    heartbeat: () => undefined,
    alarm: () => undefined,
    missingAfterMs: { test: 4 * DAY_MS, live: 4 * DAY_MS },
  });
  const { finalisePayments } = createFinalityActivities({
    ...{ db, clock, heartbeat: () => undefined, raiseLateReturn: () => undefined },
  });
  const refused: unknown[] = [];
  const { refreshRates } = createFxActivities({
    ...{ db, clock, releasedPegs: [], moveMaxPercent: '20', rateMaxAgeMs: 2 * DAY_MS },
    historyMs: 730 * DAY_MS,
    sources: [createHttpSource('currency-api', { url: ratesUrl })],
    alarms: {
      sourceFailed: (error) => refused.push(error),
      ratesRefused: (legs) => refused.push(...legs),
      sourcesDisagree: (currencies) => refused.push(...currencies),
    },
  });
  return {
    payments,
    reconciliation,
    finalise: () => finalisePayments('test'),
    /** Fails where one rate is not believed: the market of the simulation moves as real ones do. */
    async refreshRates(): Promise<void> {
      await refreshRates();
      if (refused.length > 0) throw new Error('rates were refused', { cause: refused[0] });
    },
    close: () => connector.close(),
  };
}
