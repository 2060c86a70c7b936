/** One process for API and worker, or one for each. */
export type Roles = 'combined' | 'split';

const PORTS = [
  ...['PORT', 'DASHBOARD_PORT', 'OPS_PORT', 'POSTGRES_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'],
  ...[
    'TEST_SANDBOX_BANK_PORT',
    'LIVE_SANDBOX_BANK_PORT',
    'TEST_SANDBOX_KYC_PORT',
    'LIVE_SANDBOX_KYC_PORT',
  ],
  ...['TEST_SANDBOX_NAME_CHECK_PORT', 'LIVE_SANDBOX_NAME_CHECK_PORT'],
  ...['SANDBOX_MAILBOX_PORT', 'SANDBOX_SMTP_PORT'],
];

/** What the engine is told of the shell that runs the bench: where programs and caches are. */
const INHERITED = [
  ...['PATH', 'HOME', 'TMPDIR', 'XDG_CACHE_HOME', 'TEMPORAL_CLI_PATH'],
  ...['GOPROXY', 'GOSUMDB', 'GOFLAGS', 'npm_config_registry', 'npm_config_userconfig'],
];

export interface EngineSettings {
  readonly dataDir: string;
  readonly bankUrl: string;
  readonly roles: Roles;
  /** A PostgreSQL server in place of the local run's own. */
  readonly databaseUrl?: string;
}

/** The environment of `npm run dev`: every port free, and no setting of the shell but INHERITED. */
export function engineEnvironment(
  env: NodeJS.ProcessEnv,
  settings: EngineSettings,
): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    ...Object.fromEntries(PORTS.map((name) => [name, '0'])),
    DATA_DIR: settings.dataDir,
    TEST_BANK_URL: settings.bankUrl,
    DEV_ROLES: settings.roles,
    ...(settings.databaseUrl === undefined ? {} : { DATABASE_URL: settings.databaseUrl }),
  };
}
