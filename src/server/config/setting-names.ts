import { Type, type TObject, type TSchema } from 'typebox';
import { CHAIN_SIGNERS } from './chain-signers-config.ts';
import { ENGINE } from './config.ts';
import { DEV } from './dev-config.ts';
import { LISTEN } from './listen-config.ts';
import { LOGIN_PROVIDERS } from './login-provider-config.ts';
import { SANDBOX_CHAIN } from './sandbox-chain-config.ts';
import { SANDBOX } from './sandbox-config.ts';
import { baseNameOf } from './setting-scope.ts';
import { listSettings, settingOf, type Env } from './settings.ts';
import { text } from './setting-types.ts';

/** The folder of the env files. The process's environment alone can name it. */
export const CONFIG_FOLDER = Type.Object({
  configDir: Type.Optional(
    text('CONFIG_DIR', {
      unit: 'path',
      description: 'The folder with `common.env`, `test.env`, and `live.env`.',
    }),
  ),
});

/** The variables of Temporal's SDK, which common.env may hold. */
const TEMPORAL = [
  ...['TEMPORAL_ADDRESS', 'TEMPORAL_NAMESPACE', 'TEMPORAL_API_KEY'],
  ...['TEMPORAL_CONFIG_FILE', 'TEMPORAL_PROFILE', 'TEMPORAL_CLI_PATH', 'TEMPORAL_TLS'],
  ...['TEMPORAL_TLS_CLIENT_CERT_PATH', 'TEMPORAL_TLS_CLIENT_CERT_DATA'],
  ...['TEMPORAL_TLS_CLIENT_KEY_PATH', 'TEMPORAL_TLS_CLIENT_KEY_DATA'],
  ...['TEMPORAL_TLS_SERVER_CA_CERT_PATH', 'TEMPORAL_TLS_SERVER_CA_CERT_DATA'],
  ...['TEMPORAL_TLS_SERVER_NAME', 'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION'],
];

/** Every setting of every program. Two programs may declare one. */
export const SETTINGS: readonly TSchema[] = [
  ENGINE,
  LOGIN_PROVIDERS,
  CHAIN_SIGNERS,
  SANDBOX,
  SANDBOX_CHAIN,
  DEV,
  LISTEN,
].flatMap((group) => listSettings(group));

/** The variable that names the file of a secret. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/** Secrets among the variables of Temporal's SDK. Its variable ..._KEY_PATH names a file already. */
export const TEMPORAL_SECRETS = ['TEMPORAL_API_KEY', 'TEMPORAL_TLS_CLIENT_KEY_DATA'];

/** Variables that hold a secret. `fileVariable` of each may name a file instead. */
export const SECRET_NAMES: ReadonlySet<string> = new Set([
  ...TEMPORAL_SECRETS,
  ...SETTINGS.map(settingOf).flatMap(({ env, isSecret }) => (isSecret === true ? [env] : [])),
]);

const namesIn = (scope: 'test' | 'live' | undefined): readonly string[] =>
  SETTINGS.filter((one) => settingOf(one).scope === scope).flatMap((one) => {
    const name = baseNameOf(one);
    return SECRET_NAMES.has(settingOf(one).env) ? [name, fileVariable(name)] : [name];
  });

/** The names that each file may hold, as the file has them. */
export const NAMES = {
  common: new Set([...namesIn(undefined), ...TEMPORAL, ...TEMPORAL_SECRETS.map(fileVariable)]),
  test: new Set(namesIn('test')),
  live: new Set(namesIn('live')),
} as const;

/**
 * An environment for a program that reads these settings alone: it keeps variables of other programs, and none of
 * another setting.
 */
export function onlyFor(group: TObject | null, env: Env): Record<string, string> {
  const own = new Set(group === null ? [] : listSettings(group).map((one) => settingOf(one).env));
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (own.has(entry[0]) || !VARIABLES.has(entry[0])),
    ),
  );
}

/** Names of variables, as a process has them. */
export const VARIABLES: ReadonlySet<string> = new Set([
  ...['CONFIG_DIR', ...TEMPORAL],
  ...SETTINGS.map((one) => settingOf(one).env),
  ...[...SECRET_NAMES].map(fileVariable),
]);
