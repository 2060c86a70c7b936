import { createVariables, type Env } from './variables.ts';

/** What a person may choose about a local run. Ports: 0 picks a free one. */
export interface DevConfig {
  readonly dataDir: string;
  readonly apiPort: number;
  readonly postgresPort: number;
  readonly temporalPort: number;
  readonly temporalUiPort: number;
  readonly bankPort: number;
  readonly liveBankPort: number;
  readonly kycPort: number;
  readonly liveKycPort: number;
  /** One process for API and worker, or one for each. */
  readonly roles: 'combined' | 'split';
  /** Real parts in place of embedded ones. */
  readonly databaseUrl: string | undefined;
  readonly temporalAddress: string | undefined;
  readonly bankUrl: string | undefined;
  readonly liveBankUrl: string | undefined;
}

/** Reads DATA_DIR, the ports, DEV_ROLES and the addresses of real parts. */
export function readDevConfig(env: Env): DevConfig {
  const variables = createVariables(env);
  const port = (name: string, fallback: number) => variables.integer(name, fallback, [0, 65_535]);
  const config: DevConfig = {
    dataDir: variables.text('DATA_DIR', '.dev'),
    apiPort: port('PORT', 8080),
    postgresPort: port('POSTGRES_PORT', 5433),
    temporalPort: port('TEMPORAL_PORT', 7233),
    temporalUiPort: port('TEMPORAL_UI_PORT', 8233),
    bankPort: port('SANDBOX_BANK_PORT', 4010),
    liveBankPort: port('SANDBOX_LIVE_BANK_PORT', 4011),
    kycPort: port('SANDBOX_KYC_PORT', 4020),
    liveKycPort: port('SANDBOX_LIVE_KYC_PORT', 4021),
    roles: variables.choice('DEV_ROLES', ['combined', 'split'], 'combined'),
    databaseUrl: variables.optional('DATABASE_URL'),
    temporalAddress: variables.optional('TEMPORAL_ADDRESS'),
    bankUrl: variables.url('BANK_URL'),
    liveBankUrl: variables.url('LIVE_BANK_URL'),
  };
  variables.finish();
  return config;
}
