import { Type, type Static } from 'typebox';
import { SANDBOX_NETWORKS } from './sandbox-chain-config.ts';
import { inEnvironment, perEnvironment } from './setting-scope.ts';
import { choice, port, text, url } from './setting-types.ts';
import { readSettings, type Env } from './settings.ts';

export const DATA_DIR = text('DATA_DIR', {
  default: '.dev',
  unit: 'path',
  description:
    'The folder of the local run. Without `DATABASE_URL`, `npm run ops` looks for a local run here.',
});

const embedded = (env: string, unit: string, description: string) =>
  Type.Optional(text(env, { unit, description, defaultText: 'embedded' }));

/** The ports of the sandbox providers, where no other is chosen. */
const SANDBOX_PORTS = {
  bank: { test: 4010, live: 4011 },
  kyc: { test: 4020, live: 4021 },
  nameCheck: { test: 4040, live: 4041 },
} as const;

const serverPort = (name: string, fallback: number, server: string) =>
  port(`SANDBOX_${name}_PORT`, fallback, `The port of the sandbox ${server}.`);

/** What a person may choose about a local run. Ports: 0 picks a free one. */
export const DEV = Type.Object({
  dataDir: DATA_DIR,
  apiPort: port('PORT', 8080, 'API; 0 picks a free one, here and below'),
  dashboardPort: port('DASHBOARD_PORT', 8081, "the customers' dashboard"),
  opsPort: port('OPS_PORT', 8082, "the operators' console"),
  postgresPort: port('POSTGRES_PORT', 5433, 'The port of embedded PostgreSQL.'),
  temporalPort: port('TEMPORAL_PORT', 7233, 'The port of embedded Temporal.'),
  temporalUiPort: port('TEMPORAL_UI_PORT', 8233, 'The port of the UI of embedded Temporal.'),
  sandboxPorts: perEnvironment((environment) =>
    Type.Object({
      bank: serverPort('BANK', SANDBOX_PORTS.bank[environment], 'bank'),
      kyc: serverPort('KYC', SANDBOX_PORTS.kyc[environment], 'KYC provider'),
      nameCheck: serverPort('NAME_CHECK', SANDBOX_PORTS.nameCheck[environment], 'name check'),
    }),
  ),
  mailboxPort: port('SANDBOX_MAILBOX_PORT', 8025, 'The port of the sandbox mailbox pages.'),
  chainPort: port(
    'SANDBOX_CHAIN_PORT',
    4050,
    'The port of the RPC URLs and the control API of the sandbox chains.',
  ),
  smtpPort: port('SANDBOX_SMTP_PORT', 1025, 'The SMTP port of the sandbox mailbox.'),
  roles: choice(
    'DEV_ROLES',
    ['combined', 'split'],
    '`split` runs API and worker as two processes.',
  ),
  databaseUrl: embedded('DATABASE_URL', 'URL', 'Your own PostgreSQL instead of the embedded one.'),
  temporalAddress: embedded(
    'TEMPORAL_ADDRESS',
    'host:port',
    'Your own Temporal server instead of the embedded one.',
  ),
  bankUrls: perEnvironment(() =>
    Type.Optional(
      url('BANK_URL', 'A real bank. The sandbox bank of the environment then does not run.', {
        defaultText: 'sandbox',
      }),
    ),
  ),
  networks: SANDBOX_NETWORKS,
  anvilBin: Type.Optional(
    text('ANVIL_BIN', {
      unit: 'path',
      defaultText: 'its package, then the search path',
      description: 'The program that runs the sandbox chains.',
    }),
  ),
  networksFile: inEnvironment(
    'test',
    Type.Optional(
      text('NETWORKS_FILE', {
        unit: 'path',
        defaultText: 'sandbox',
        description: 'Your own networks. The sandbox chains then do not run.',
      }),
    ),
  ),
});

export type DevConfig = Readonly<Static<typeof DEV>>;

export function readDevConfig(env: Env): DevConfig {
  return readSettings(DEV, env);
}
