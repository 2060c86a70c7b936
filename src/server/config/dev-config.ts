import { Type, type Static } from 'typebox';
import { SANDBOX_NETWORKS } from './sandbox-chain-config.ts';
import { choice, port, text, url } from './setting-types.ts';
import { readSettings, type Env } from './settings.ts';

export const DATA_DIR = text('DATA_DIR', {
  default: '.dev',
  unit: 'path',
  description:
    'where everything is kept; also where `npm run ops` looks for a local run while `DATABASE_URL` is not set',
});

const embedded = (env: string, unit: string, description: string) =>
  Type.Optional(text(env, { unit, description, defaultText: 'embedded' }));
const sandbox = (env: string, environment: string) =>
  Type.Optional(
    url(env, `a real bank for ${environment}: then no sandbox bank runs for it`, {
      defaultText: 'sandbox',
    }),
  );

/** What a person may choose about a local run. Ports: 0 picks a free one. */
export const DEV = Type.Object({
  dataDir: DATA_DIR,
  apiPort: port('PORT', 8080, 'API; 0 picks a free one, here and below'),
  dashboardPort: port('DASHBOARD_PORT', 8081, "the customers' dashboard"),
  opsPort: port('OPS_PORT', 8082, "the operators' console"),
  postgresPort: port('POSTGRES_PORT', 5433, 'embedded PostgreSQL'),
  temporalPort: port('TEMPORAL_PORT', 7233, 'embedded Temporal'),
  temporalUiPort: port('TEMPORAL_UI_PORT', 8233, 'the UI of embedded Temporal'),
  bankPort: port('SANDBOX_BANK_PORT', 4010, 'sandbox bank of test'),
  liveBankPort: port('SANDBOX_LIVE_BANK_PORT', 4011, 'sandbox bank of live'),
  kycPort: port('SANDBOX_KYC_PORT', 4020, 'sandbox KYC provider of test'),
  liveKycPort: port('SANDBOX_LIVE_KYC_PORT', 4021, 'sandbox KYC provider of live'),
  nameCheckPort: port('SANDBOX_NAME_CHECK_PORT', 4040, 'sandbox name check of test'),
  liveNameCheckPort: port('SANDBOX_LIVE_NAME_CHECK_PORT', 4041, 'sandbox name check of live'),
  mailboxPort: port('SANDBOX_MAILBOX_PORT', 8025, 'pages of the sandbox mailbox'),
  chainPort: port('SANDBOX_CHAIN_PORT', 4050, 'RPC URLs and control API of the sandbox chains'),
  smtpPort: port('SANDBOX_SMTP_PORT', 1025, 'SMTP of the sandbox mailbox'),
  roles: choice('DEV_ROLES', ['combined', 'split'], '`split`: API and worker as two processes'),
  databaseUrl: embedded('DATABASE_URL', 'URL', 'a real PostgreSQL instead of the embedded one'),
  temporalAddress: embedded(
    'TEMPORAL_ADDRESS',
    'host:port',
    'a real Temporal server instead of the embedded one',
  ),
  bankUrl: sandbox('BANK_URL', 'test'),
  liveBankUrl: sandbox('LIVE_BANK_URL', 'live'),
  networks: SANDBOX_NETWORKS,
  anvilBin: Type.Optional(
    text('ANVIL_BIN', {
      unit: 'path',
      defaultText: 'its package, then the search path',
      description: 'the program that keeps the sandbox chains',
    }),
  ),
  networksFile: Type.Optional(
    text('NETWORKS_FILE', {
      unit: 'path',
      defaultText: 'sandbox',
      description: 'networks of your own for test: then no sandbox chain runs',
    }),
  ),
});

export type DevConfig = Readonly<Static<typeof DEV>>;

export function readDevConfig(env: Env): DevConfig {
  return readSettings(DEV, env);
}
