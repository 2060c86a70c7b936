import { Type, type Static } from 'typebox';
import { checkPublishedSecrets } from './published-secrets.ts';
import { integer, secret } from './setting-types.ts';
import { checkTransport, TRANSPORT } from './transport-config.ts';
import { readSettings, type Env, type Setting } from './settings.ts';

const postgresUrl = (env: string, description: string, more: Partial<Setting> = {}) => {
  const must = 'where PostgreSQL is (postgres://...)';
  return secret(env, { must, unit: 'URL', description, ...more }, (given) =>
    /^postgres(ql)?:\/\//.test(given),
  );
};

/**
 * Where PostgreSQL is. DATABASE_URL alone will do: its connections take on the roles of the
 * application. APP_DATABASE_URL and SYSTEM_DATABASE_URL give each a login of its own.
 */
export const DATABASE = Type.Object({
  url: postgresUrl(
    'DATABASE_URL',
    'The URL of PostgreSQL: `postgres://...`. `migrate` needs the login that owns the tables.',
  ),
  appUrl: Type.Optional(
    postgresUrl('APP_DATABASE_URL', 'The login for the role `causeway_app`.', {
      defaultText: '`DATABASE_URL`',
    }),
  ),
  systemUrl: Type.Optional(
    postgresUrl('SYSTEM_DATABASE_URL', 'The login for the role `causeway_system`.', {
      defaultText: '`DATABASE_URL`',
    }),
  ),
  appConnectionsMax: integer('DATABASE_CONNECTIONS_MAX', [2, 1_000], {
    default: 20,
    unit: 'connections',
    description: 'The most connections of one process as `causeway_app`, from 2 to 1,000.',
  }),
  systemConnectionsMax: integer('SYSTEM_DATABASE_CONNECTIONS_MAX', [1, 100], {
    default: 4,
    unit: 'connections',
    description: 'The most connections of one process as `causeway_system`, from 1 to 100.',
  }),
  ...TRANSPORT,
});

/** The URLs of both roles, each of which falls back on the owner's. */
export function databaseConfig(settings: Static<typeof DATABASE>) {
  const { url, appUrl = url, systemUrl = url } = settings;
  return { ...settings, appUrl, systemUrl };
}

/** The owner's URL alone, for a program that needs nothing else. */
export function readOwnerUrl(env: Env): string {
  const { url } = readSettings(DATABASE, env, (settings, report) => {
    checkTransport(settings, env, report);
    checkPublishedSecrets(DATABASE, env, report);
  });
  return url;
}
