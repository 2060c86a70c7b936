import { Type, type TSchema } from 'typebox';
import { CHAIN_SIGNERS } from './chain-signers-config.ts';
import { ENGINE } from './config.ts';
import { DATABASE } from './database-config.ts';
import { LISTEN } from './listen-config.ts';
import { LOGIN_PROVIDERS } from './login-provider-config.ts';
import { SANDBOX } from './sandbox-config.ts';
import { SECRET_NAMES, TEMPORAL_SECRETS } from './setting-names.ts';
import { listSettings, settingOf } from './settings.ts';
import { VAULT } from './vault-config.ts';

const secretsIn = (...groups: readonly TSchema[]): readonly string[] =>
  groups
    .flatMap((group) => (Type.IsObject(group) ? listSettings(group) : [group]))
    .map((one) => settingOf(one).env)
    .filter((name) => SECRET_NAMES.has(name));

const SERVICE = [...secretsIn(ENGINE), ...TEMPORAL_SECRETS];

/**
 * The secrets that each program reads from files. Programs that share an environment, as the services of a compose file do,
 * read no file of a secret of another one. The local run starts every program, so it reads all of them.
 */
const SECRETS = {
  ...{ api: SERVICE, worker: SERVICE, engine: SERVICE },
  dashboard: [...SERVICE, ...secretsIn(LOGIN_PROVIDERS.properties.dashboard)],
  console: [...SERVICE, ...secretsIn(LOGIN_PROVIDERS.properties.console)],
  ...{ chain: [...SERVICE, ...secretsIn(CHAIN_SIGNERS)] },
  // Commands that sign with keys of chains, or write them. The others run where the secret of the keys is not.
  ...{ ops: SERVICE, 'ops-chain': [...SERVICE, ...secretsIn(CHAIN_SIGNERS)] },
  migrate: [...secretsIn(DATABASE), ...TEMPORAL_SECRETS],
  verify: [...secretsIn(DATABASE.properties.url, VAULT), ...TEMPORAL_SECRETS],
  ...{ sandbox: secretsIn(SANDBOX), 'sandbox-chain': [] },
  ...{ listen: secretsIn(LISTEN), smoke: secretsIn(LISTEN) },
  dev: [...SECRET_NAMES],
} as const;

export type Program = keyof typeof SECRETS;

/** Whether a program reads the file that `fileVariable` of this secret names. */
export const readsSecret = (program: Program, name: string): boolean =>
  (SECRETS[program] as readonly string[]).includes(name);
