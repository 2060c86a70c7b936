import type { Environment } from '../domain/scope.ts';
import { readDatabaseConfig, type DatabaseConfig } from './database-config.ts';
import { readFxConfig, type FxConfig } from './fx-config.ts';
import { readHttpConfig, type HttpConfig } from './http-config.ts';
import { readLogLevel, type LogLevel } from './log-level.ts';
import {
  readProvidersConfig,
  type ProviderConfigs,
  type ProvidersConfig,
} from './provider-config.ts';
import { readTimingConfig, type TimingConfig } from './timing-config.ts';
import { createVariables, type Env } from './variables.ts';
import { readVaultConfig, type VaultConfig } from './vault-config.ts';

/** Everything an operator can choose, but for Temporal, which the SDK's own variables configure. */
export interface Config {
  readonly http: HttpConfig;
  readonly database: DatabaseConfig;
  readonly providers: ProvidersConfig;
  readonly vault: VaultConfig;
  readonly timing: Readonly<Record<Environment, TimingConfig>>;
  readonly fx: FxConfig;
  /** A bundle of the workflow code made beforehand; else the build's, else made at the start. */
  readonly workflowBundleFile: string | undefined;
  readonly logLevel: LogLevel;
}

/**
 * Reads the environment variables. Throws ConfigError with all problems at once. `isRelaxed`: how dev,
 * demo and tests start, with rate limits of 10,000 a second and webhooks to this machine, unless the
 * variables say otherwise.
 */
export function readConfig(env: Env, options: { readonly isRelaxed?: boolean } = {}): Config {
  const variables = createVariables(env);
  const config: Config = {
    http: readHttpConfig(variables, options.isRelaxed ?? false),
    database: readDatabaseConfig(variables),
    providers: readProvidersConfig(variables),
    vault: readVaultConfig(variables),
    timing: readTimingConfig(variables),
    fx: readFxConfig(variables),
    workflowBundleFile: variables.optional('WORKFLOW_BUNDLE_FILE'),
    logLevel: readLogLevel(variables),
  };
  variables.finish();
  return config;
}

/** What of the configuration the HTTP surface sees (its HttpSettings): no URL, key or password. */
export function httpSettings(config: Config) {
  const { http, providers, fx } = config;
  return {
    publicUrl: http.publicUrl,
    trustedProxies: http.trustedProxies,
    rateLimits: http.rateLimits,
    fx: { baseCurrency: fx.baseCurrency, rateMaxAgeMs: fx.rateMaxAgeMs },
    environmentsWithBank: Object.keys(providers.bank) as Environment[],
    webhookAllowPrivateInTest: http.webhookAllowPrivateInTest,
    kycCallbackSecrets: callbackSecrets(providers.kyc),
    bankCallbackSecrets: callbackSecrets(providers.bank),
  };
}

function callbackSecrets(providers: ProviderConfigs): Partial<Record<Environment, string>> {
  const secrets = Object.entries(providers).map(
    ([environment, provider]) => [environment, provider.callbackSecret] as const,
  );
  return Object.fromEntries(secrets);
}
