import { Type } from 'typebox';
import { listedNetwork } from '../../domain/onchain/network-setup.ts';
import type { Environment } from '../../domain/scope.ts';
import { DATABASE, databaseConfig } from './database-config.ts';
import { CHAIN, checkChainFiles, networkSetups } from './chain-config.ts';
import { checkCorridorFiles, CORRIDOR_FILES, corridorTable } from './corridor-files.ts';
import { RETURN_WINDOWS } from './return-window-config.ts';
import { checkFees, checkNetworkFees, FEES, feeSchedule } from './fee-config.ts';
import { checkFundingFiles, FUNDING, fundingAccounts } from './funding-config.ts';
import { checkFx, FX } from './fx-config.ts';
import { HTTP, httpConfig } from './http-config.ts';
import { KYC } from './kyc-config.ts';
import { LOG_LEVEL } from './log-level.ts';
import { checkMail, MAIL } from './mail-config.ts';
import { MONITOR, TEMPORAL_METRICS } from './monitor-config.ts';
import { checkOperatorKeys, OPERATOR_KEYS } from './operator-keys-config.ts';
import { checkProviders } from './check-providers.ts';
import { PROVIDERS, type ProviderConfigs } from './provider-config.ts';
import { checkPublishedSecrets } from './published-secrets.ts';
import { checkLiveQuotes, QUOTES } from './quote-config.ts';
import { checkScreening, SCREENING } from './screening-config.ts';
import { flag, text, url } from './setting-types.ts';
import { readSettings, type Env } from './settings.ts';
import { checkTiming, TIMING } from './timing-config.ts';
import { checkTransport } from './transport-config.ts';
import { checkTravelRule, TRAVEL_RULE, travelRulePolicies } from './travel-rule-config.ts';
import { WALLET_PROOF, walletProofPolicies } from './wallet-proof-config.ts';
import { VAULT, vaultConfig } from './vault-config.ts';
import { checkWeb, WEB } from './web-config.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Everything that an operator can choose for API, dashboard, console and worker, but for Temporal, which the SDK's own
 * variables configure.
 */
export const ENGINE = Type.Object({
  database: DATABASE,
  vault: VAULT,
  providers: PROVIDERS,
  screening: SCREENING,
  corridors: CORRIDOR_FILES,
  chain: CHAIN,
  sandboxChainUrl: Type.Optional(
    url(
      'SANDBOX_CHAIN_URL',
      'The control API of the sandbox chains. Without it, the API makes no sandbox deposits. `npm run dev` sets it.',
    ),
  ),
  walletProof: WALLET_PROOF,
  travelRule: TRAVEL_RULE,
  returnWindows: RETURN_WINDOWS,
  funding: FUNDING,
  fx: FX,
  kyc: KYC,
  quotes: QUOTES,
  fees: FEES,
  logLevel: LOG_LEVEL,
  workflowBundleFile: Type.Optional(
    text('WORKFLOW_BUNDLE_FILE', {
      unit: 'path',
      defaultText: "the build's",
      description:
        'Another workflow bundle. Without a build, the worker makes the bundle when it starts.',
    }),
  ),
  workflowStacks: flag(
    'WORKFLOW_STACKS',
    'Keeps the stacks of workflow code for the call stack in Temporal UI. Workflow code then runs a tenth slower. The worker reads it.',
  ),
  http: HTTP,
  web: WEB,
  operators: OPERATOR_KEYS,
  mail: Type.Optional(MAIL),
  timing: TIMING,
  monitor: MONITOR,
  temporalMetricsPort: TEMPORAL_METRICS,
});

export type Config = Readonly<ReturnType<typeof readConfig>>;

/** Reads the environment variables. Throws ConfigError with all problems at once. */
export function readConfig(env: Env) {
  const settings = readSettings(ENGINE, env, (given, report) => {
    const { providers, screening, timing, corridors, funding } = given;
    checkProviders(providers, env, report);
    checkScreening(screening, providers, report);
    checkTiming(timing, report);
    checkCorridorFiles(corridors, report);
    checkChainFiles(given.chain, report);
    const hasLiveNetworks = given.chain.live !== undefined;
    checkTravelRule(given.travelRule, { hasLiveNetworks }, report);
    checkFx(given.fx, report);
    const hasLiveBank = providers.bank.live !== undefined;
    checkLiveQuotes(given.quotes, { fx: given.fx, hasLiveBank }, report);
    checkFees(given.fees, report);
    checkNetworkFees(given.fees, networkSetups(given.chain).live, report);
    checkFundingFiles(funding, report);
    checkWeb(given.web, report);
    checkOperatorKeys(
      given.operators,
      {
        env,
        urls: {
          ...{ OPS_URL: given.web.opsUrl, DASHBOARD_URL: given.web.dashboardUrl },
          ...{ LIVE_BANK_URL: providers.bank.live?.url, LIVE_KYC_URL: providers.kyc.live?.url },
        },
      },
      report,
    );
    checkMail(given.mail, report);
    checkTransport(given.database, env, report);
    checkPublishedSecrets(ENGINE, env, report);
  });
  return {
    ...settings,
    corridors: corridorTable(settings.corridors, settings.returnWindows),
    chain: networkSetups(settings.chain),
    walletProof: walletProofPolicies(settings.walletProof, settings.fx),
    travelRule: travelRulePolicies(settings.travelRule, settings.providers),
    fees: feeSchedule(settings.fees),
    funding: fundingAccounts(settings.funding),
    http: httpConfig(settings.http),
    database: databaseConfig(settings.database),
    vault: vaultConfig(settings.vault),
  };
}

/** What of the configuration the HTTP surface sees (its HttpSettings): no URL, key or password. */
export function httpSettings(config: Config) {
  const { http, providers, fx, quotes, fees, funding, kyc, chain } = config;
  return {
    publicUrl: http.publicUrl,
    trustedProxies: http.trustedProxies,
    rateLimits: http.rateLimits,
    fx: {
      baseCurrency: fx.baseCurrency,
      rateMaxAgeMs: fx.rateMaxAgeMs,
      historyMs: fx.historyDays * DAY_MS,
      releasedPegs: fx.releasedPegs,
    },
    quotes,
    fees,
    fundingAccounts: funding,
    networks: {
      test: chain.test.map(listedNetwork),
      live: chain.live.map(listedNetwork),
    },
    endUserRetentionMs: {
      test: http.endUserRetentionDays.test * DAY_MS,
      live: http.endUserRetentionDays.live * DAY_MS,
    },
    webhookAllowLoopbackInTest: http.webhookAllowLoopbackInTest,
    kycCallbackSecrets: callbackSecrets(providers.kyc),
    kycDocumentLifeMs: kyc.documentDays * DAY_MS,
    bankCallbackSecrets: callbackSecrets(providers.bank),
  };
}

function callbackSecrets(providers: ProviderConfigs): Partial<Record<Environment, string>> {
  const secrets = Object.entries(providers).map(
    ([environment, provider]) => [environment, provider.callbackSecret] as const,
  );
  return Object.fromEntries(secrets);
}
