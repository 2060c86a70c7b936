import { createListedNetworks } from '../../domain/onchain/listed-networks.ts';
import { createCorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import { createFeeSchedule } from '../../domain/payments/fees/fee-schedule.ts';
import type { HttpDeps } from '../deps.ts';
import { ASSET_MARKUP_BPS } from '../../domain/payments/quotes/asset-markup.ts';

const LIMIT = { perSecond: 1, burst: 1 };
const FREE = {
  markupBps: 0,
  feeBps: 0,
  feeFixed: '0',
  assetMarkupBps: ASSET_MARKUP_BPS,
  lockMarkupPercent: 0,
  hasCurrencies: true,
  graceMs: 60_000,
};

/**
 * Dependencies for an app that only describes itself: nothing is connected, and a route that is
 * called fails. The document names no host, so that it is the same wherever it is written.
 */
export function documentDeps(): HttpDeps {
  const nothing = (name: string): never => {
    throw new Error(`the app that writes the document has no ${name}`);
  };
  const absent = <Part extends object>(name: string): Part =>
    new Proxy({} as Part, { get: () => () => nothing(name) });
  return {
    db: absent('database'),
    vault: absent('vault'),
    workflows: absent('workflow client'),
    starts: absent('background'),
    wakes: absent('background'),
    corridors: createCorridorTable(),
    networks: createListedNetworks(),
    clock: { now: () => new Date(0) },
    nameChecks: {},
    addressScreening: {},
    contractWallets: {},
    liveApprovals: absent('live approvals'),
    encoderFor: () => nothing('connectors'),
    screener: absent('screening'),
    temporalState: () => nothing('Temporal'),
    settings: {
      publicUrl: '/',
      trustedProxies: [],
      rateLimits: {
        requests: { test: LIMIT, live: LIMIT },
        payments: { test: LIMIT, live: LIMIT },
        paymentBatches: { test: LIMIT, live: LIMIT },
        failedAuthenticationsPerMinute: 1,
      },
      fx: { baseCurrency: 'USD', rateMaxAgeMs: 1, historyMs: 1, releasedPegs: [] },
      quotes: { test: FREE, live: FREE },
      fees: createFeeSchedule(),
      fundingAccounts: { test: [], live: [] },
      networks: { test: [], live: [] },
      endUserRetentionMs: { test: 0, live: 0 },
      webhookAllowLoopbackInTest: false,
      kycCallbackSecrets: {},
      kycDocumentLifeMs: 0,
      bankCallbackSecrets: {},
    },
  };
}
