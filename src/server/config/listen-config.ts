import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type } from 'typebox';
import { DATA_DIR } from './dev-config.ts';
import { secret, url } from './setting-types.ts';
import { ConfigError, readSettings, type Env } from './settings.ts';

/** Where `npm run listen` finds an installation. */
export const LISTEN = Type.Object({
  apiUrl: Type.Optional(
    url('CAUSEWAY_API_URL', 'The URL of the installation, without `/api/v1`.', {
      defaultText: 'the local run',
    }),
  ),
  apiKey: Type.Optional(
    secret('CAUSEWAY_API_KEY', {
      description: 'A test API key with `webhook-endpoints:read` and `webhook-endpoints:write`.',
      unit: 'secret',
      defaultText: "the local run's",
    }),
  ),
});

const LOCAL = Type.Object({ dataDir: DATA_DIR });

/** An installation of Causeway, as a partner's program uses it. */
export interface Installation {
  readonly apiUrl: string;
  readonly apiKey: string;
}

/**
 * The installation that is named, by option before variable; else the local run in DATA_DIR. The local run's key is
 * never sent elsewhere: a URL that is named needs a key that is. Throws ConfigError.
 */
export function findInstallation(env: Env, named: Partial<Installation>): Installation {
  const settings = readSettings(LISTEN, env);
  const apiUrl = named.apiUrl ?? settings.apiUrl;
  const apiKey = named.apiKey ?? settings.apiKey;
  if (apiUrl === undefined) {
    const local = readLocalRun(env);
    return { apiUrl: local.apiUrl, apiKey: apiKey ?? local.testApiKey };
  }
  if (apiKey === undefined) {
    throw new ConfigError([
      'CAUSEWAY_API_KEY is not set: set it to a test key of the API that --api-url or CAUSEWAY_API_URL names',
    ]);
  }
  return { apiUrl, apiKey };
}

function readLocalRun(env: Env) {
  const file = join(readSettings(LOCAL, env).dataDir, 'state.json');
  if (!existsSync(file)) {
    throw new ConfigError([
      `no local run was found (${file}): start "npm run dev", or set CAUSEWAY_API_URL and CAUSEWAY_API_KEY`,
    ]);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as {
    readonly apiUrl: string;
    readonly testApiKey: string;
  };
}
