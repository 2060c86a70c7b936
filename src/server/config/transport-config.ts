import { loadClientConnectConfig } from '@temporalio/envconfig';
import pg from 'pg';
import { Type } from 'typebox';
import { text, words } from './setting-types.ts';
import { textOf, type Env, type Report } from './settings.ts';

/** What the connections to PostgreSQL and Temporal must be. */
export const TRANSPORT = {
  nodeEnv: Type.Optional(
    text('NODE_ENV', {
      unit: 'word',
      defaultText: '-',
      description:
        'With `production`, which the image sets, a program refuses to reach PostgreSQL, Temporal, clamd and sources of rates on another machine without TLS. It also refuses a `PUBLIC_URL` without `https://`.',
    }),
  ),
  certificateCheck: Type.Optional(
    text('NODE_TLS_REJECT_UNAUTHORIZED', {
      unit: 'word',
      defaultText: '-',
      description:
        "Node's own variable. `0` turns the check of certificates off, so that no program starts with it if `NODE_ENV` is `production`.",
    }),
  ),
  plaintextHosts: Type.Optional(
    words('PLAINTEXT_HOSTS', Type.String({ pattern: '^[A-Za-z0-9._:-]{1,253}$' }), {
      must: 'host names or addresses with commas between',
      defaultText: '-',
      description:
        'The hosts of PostgreSQL, Temporal, clamd, sources of rates and `PUBLIC_URL` that may be reached without TLS: `postgres,temporal`. Name only hosts of a private network. For others, use `?sslmode=verify-full` in the URL of PostgreSQL, and `TEMPORAL_TLS=true`.',
    }),
  ),
};

interface Transport {
  readonly nodeEnv?: string;
  readonly plaintextHosts?: readonly string[];
}

/** Names and addresses of this machine, and the folder of a socket. */
const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|::1|\/.*|)$/i;

const DATABASE_URLS = ['DATABASE_URL', 'APP_DATABASE_URL', 'SYSTEM_DATABASE_URL'];
const SCANNER_URL = 'DOCUMENT_SCANNER_URL';
/** Requests of partners carry keys, and who answers in the place of a source of rates sets prices. */
const HTTP_URLS = ['PUBLIC_URL', 'ECB_URL', 'NBP_URL', 'CURRENCY_API_URL', 'FX_JSON_URL'];
const TEMPORAL_PORT = /:[0-9]+$/;

/**
 * Reports a connection of a production process that would show passwords, and everything else, to the network, or take
 * foreign answers from it: to PostgreSQL, Temporal, clamd, a source of rates or our own API, off this machine, without TLS
 * or without a look at the server's certificate.
 */
export function checkTransport(
  { nodeEnv, plaintextHosts = [] }: Transport,
  env: Env,
  report: Report,
): void {
  if (nodeEnv !== 'production') return;
  const mayBePlain = (host: string) => LOOPBACK.test(host) || plaintextHosts.includes(host);
  for (const name of DATABASE_URLS) {
    const url = textOf(env, name);
    if (url !== '' && !isSafe(url, mayBePlain)) {
      report(
        [name, 'PLAINTEXT_HOSTS'],
        `${name} must have ?sslmode=verify-full, or PLAINTEXT_HOSTS must name its host`,
      );
    }
  }
  for (const name of HTTP_URLS) {
    const url = textOf(env, name);
    if (/^http:/i.test(url) && !mayBePlain(hostOf(url))) {
      report(
        [name, 'PLAINTEXT_HOSTS'],
        `${name} must begin with https://, or PLAINTEXT_HOSTS must name its host`,
      );
    }
  }
  const scanner = textOf(env, SCANNER_URL);
  if (URL.canParse(scanner) && !mayBePlain(hostOf(scanner))) {
    report(
      [SCANNER_URL, 'PLAINTEXT_HOSTS'],
      `${SCANNER_URL} has no TLS: run clamd on this machine, or PLAINTEXT_HOSTS must name its host`,
    );
  }
  const temporal = temporalHost(env);
  if (temporal !== null && !mayBePlain(temporal)) {
    report(
      ['PLAINTEXT_HOSTS'],
      'TEMPORAL_TLS must be true, or PLAINTEXT_HOSTS must name the host of TEMPORAL_ADDRESS',
    );
  }
}

/** The host of a URL; '' of what is none, which its setting reports. */
const hostOf = (url: string): string =>
  URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';

/** As the driver reads the URL: parameters of it may change the host, and whether there is TLS. */
function isSafe(url: string, mayBePlain: (host: string) => boolean): boolean {
  try {
    const client: { readonly host: string; readonly ssl: unknown } = new pg.Client({
      connectionString: url,
    });
    const { host, ssl } = client;
    const isVerified =
      ssl === true ||
      (typeof ssl === 'object' &&
        ssl !== null &&
        !('rejectUnauthorized' in ssl && ssl.rejectUnauthorized === false));
    return isVerified || mayBePlain(host);
  } catch {
    // It is no URL, or names a certificate that cannot be read: the connection says so.
    return true;
  }
}

/** The host that Temporal is reached at without TLS; null where there is TLS, or where the settings cannot be used. */
function temporalHost(env: Env): string | null {
  try {
    const given = Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const loaded = loadClientConnectConfig({ overrideEnvVars: Object.fromEntries(given) });
    const connection = loaded.connectionOptions;
    if (connection.tls !== undefined && connection.tls !== false && connection.tls !== null) {
      return null;
    }
    return (connection.address ?? 'localhost').replace(TEMPORAL_PORT, '').replace(/^\[|\]$/g, '');
  } catch {
    // Reading them for the connection says what is wrong.
    return null;
  }
}
