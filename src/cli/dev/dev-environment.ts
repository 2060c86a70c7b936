import { join } from 'node:path';
import type { DevConfig } from '../../server/config/dev-config.ts';
import type { Env } from '../../server/config/settings.ts';
import { SHIPPED_LIST } from '../../adapters/screening/shipped-list.ts';
import type { DevPorts } from './dev-addresses.ts';
import type { DevSecrets } from './dev-secrets.ts';

/** Where the parts are that api, worker and sandbox are told of. */
interface DevParts {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | null;
  readonly workflowBundleFile: string;
  /** Our accounts at the sandbox bank that plays the live one. */
  readonly liveFundingAccountsFile: string;
  /** What the engine is told of the sandbox chains; none where they do not run. */
  readonly chainSettings: Readonly<Record<string, string>>;
}

/** What only the part that signs is told. */
const SIGNERS: readonly string[] = ['TEST_', 'LIVE_'].flatMap((prefix) => [
  `${prefix}CHAIN_SIGNERS_FILE`,
  `${prefix}CHAIN_SIGNERS_SECRET`,
]);

/** What a person chose for the part that signs; empty where nothing was. */
export const signersChosen = (env: Env): Record<string, string> =>
  Object.fromEntries(SIGNERS.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

const local = (port: number): string => `http://127.0.0.1:${String(port)}`;

/** On hosts of their own, for ports share cookies. Browsers and curl find them; Node does not. */
const named = (name: string, port: number): string => `http://${name}.localhost:${String(port)}`;

/** Adresses of the local run as a person and the children see them. */
export function devUrls(config: DevConfig, ports: DevPorts) {
  return {
    apiUrl: local(ports.api),
    dashboardUrl: named('dashboard', ports.dashboard),
    opsUrl: named('ops', ports.ops),
    mailboxUrl: named('mailbox', ports.mailbox),
    bankUrl: config.bankUrls.test ?? local(ports.bank),
    liveBankUrl: config.bankUrls.live ?? local(ports.liveBank),
    kycUrl: local(ports.kyc),
    liveKycUrl: local(ports.liveKyc),
  };
}

/** The settings of the children: what the person chose, and everything else worked out here. */
export function childEnvironment(
  env: Env,
  config: DevConfig,
  ports: DevPorts,
  secrets: DevSecrets,
  parts: DevParts,
): Record<string, string> {
  const urls = devUrls(config, ports);
  const chosen = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && entry[1] !== '' && !SIGNERS.includes(entry[0]),
  );
  return {
    RATE_LIMITS: 'relaxed',
    LIVE_ALLOW_INSECURE_LOOPBACK: 'true',
    TEST_WEBHOOK_ALLOW_LOOPBACK: 'true',
    TEST_END_USER_RETENTION_DAYS: '0',
    OPS_PASSKEY: 'software',
    TEST_BANK_CALLBACK_SECRET: secrets.bankCallbackSecret,
    LIVE_BANK_CALLBACK_SECRET: secrets.liveBankCallbackSecret,
    TEST_KYC_CALLBACK_SECRET: secrets.kycCallbackSecret,
    LIVE_KYC_CALLBACK_SECRET: secrets.liveKycCallbackSecret,
    TEST_KYC_URL: urls.kycUrl,
    LIVE_KYC_URL: urls.liveKycUrl,
    TEST_NAME_CHECK_URL: local(ports.nameCheck),
    LIVE_NAME_CHECK_URL: local(ports.liveNameCheck),
    // The sandbox's made-up names for live as well, unless the person names a list or a provider.
    ...(env['LIVE_SCREENING_URL'] ? {} : { LIVE_SCREENING_FILE: SHIPPED_LIST }),
    ...(config.bankUrls.live === undefined
      ? { LIVE_FUNDING_ACCOUNTS_FILE: parts.liveFundingAccountsFile }
      : {}),
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(ports.smtp),
    SMTP_TLS: 'NONE',
    MAIL_FROM: 'Causeway <no-reply@causeway.example>',
    LOG_LEVEL: 'warn',
    ...Object.fromEntries(chosen),
    ENCRYPTION_KEYS: secrets.encryptionKeys,
    PEPPER: secrets.pepper,
    ...parts.chainSettings,
    DATABASE_URL: parts.databaseUrl,
    TEMPORAL_ADDRESS: parts.temporalAddress,
    WORKFLOW_BUNDLE_FILE: parts.workflowBundleFile,
    HOST: '127.0.0.1',
    PORT: String(ports.api),
    PUBLIC_URL: env['PUBLIC_URL'] ?? urls.apiUrl,
    DASHBOARD_PORT: String(ports.dashboard),
    DASHBOARD_URL: urls.dashboardUrl,
    OPS_HOST: '127.0.0.1',
    OPS_PORT: String(ports.ops),
    OPS_URL: urls.opsUrl,
    ...(parts.temporalUiUrl === null ? {} : { TEMPORAL_UI_URL: parts.temporalUiUrl }),
    TEST_BANK_URL: urls.bankUrl,
    LIVE_BANK_URL: urls.liveBankUrl,
    SANDBOX_DATA_DIR: join(config.dataDir, 'sandbox'),
    SANDBOX_API_URL: urls.apiUrl,
    // A real bank takes the sandbox's place: then none is started for its environment.
    TEST_SANDBOX_BANK_PORT: config.bankUrls.test === undefined ? String(ports.bank) : '',
    LIVE_SANDBOX_BANK_PORT: config.bankUrls.live === undefined ? String(ports.liveBank) : '',
    TEST_SANDBOX_KYC_PORT: String(ports.kyc),
    LIVE_SANDBOX_KYC_PORT: String(ports.liveKyc),
    TEST_SANDBOX_NAME_CHECK_PORT: String(ports.nameCheck),
    LIVE_SANDBOX_NAME_CHECK_PORT: String(ports.liveNameCheck),
    SANDBOX_MAILBOX_PORT: String(ports.mailbox),
    SANDBOX_SMTP_PORT: String(ports.smtp),
  };
}
