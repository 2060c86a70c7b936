import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Type, type Static } from 'typebox';
import { flag, port, text, url } from './setting-types.ts';
import type { Report } from './settings.ts';

/** Where people reach dashboard and console, and where these listen. Links in mails begin with the URLs. */
export const WEB = Type.Object({
  dashboardUrl: url(
    'DASHBOARD_URL',
    'The URL of the dashboard in browsers. It needs `https://`, its own host, and no path.',
    {
      default: 'http://dashboard.localhost:8081',
    },
  ),
  opsUrl: url(
    'OPS_URL',
    'The URL of the console in browsers. It needs `https://`, its own host, and no path.',
    {
      default: 'http://ops.localhost:8082',
    },
  ),
  dashboardPort: port('DASHBOARD_PORT', 8081, 'The port that the dashboard listens on.'),
  temporalUiUrl: Type.Optional(
    url(
      'TEMPORAL_UI_URL',
      'The URL of Temporal UI in browsers. The console links to workflows there.',
    ),
  ),
  opsHost: text('OPS_HOST', {
    default: '127.0.0.1',
    unit: 'address',
    description:
      'The address that the console listens on. Every address but a loopback or private one needs `CONSOLE_PUBLIC=true`, also `0.0.0.0` and `::`.',
  }),
  opsPort: port('OPS_PORT', 8082, 'The port that the console listens on.'),
  consolePublic: flag(
    'CONSOLE_PUBLIC',
    'Lets the console listen on an address that the internet may reach. Set it only where a firewall or the container network keeps the port private.',
  ),
});

type Web = Static<typeof WEB>;

/** A name of this machine: browsers take its cookies and passkeys for safe without TLS. */
const LOCAL = /(^|\.)localhost$/;

/** Reports what would let one surface have the other's cookies, or send them in the clear. */
export function checkWeb(web: Web, report: Report): void {
  const given = { DASHBOARD_URL: web.dashboardUrl, OPS_URL: web.opsUrl };
  for (const [name, text] of Object.entries(given)) {
    if (!URL.canParse(text)) continue;
    const { origin, protocol, hostname } = new URL(text);
    if (origin !== text)
      report([name], `${name} must be scheme, host and port alone, in lower case`);
    if (protocol !== 'https:' && !LOCAL.test(hostname)) {
      report([name], `${name} must begin with https://, unless its host ends in localhost`);
    }
  }
  if (!web.consolePublic && !isPrivateHost(web.opsHost)) {
    report(
      ['OPS_HOST'],
      'OPS_HOST must be a loopback or private address, for example 127.0.0.1, unless CONSOLE_PUBLIC=true',
    );
  }
  if (hostOf(web.dashboardUrl) === hostOf(web.opsUrl)) {
    // A cookie is a host's, whatever the port.
    const names = ['DASHBOARD_URL', 'OPS_URL'];
    report(names, `${names.join(' and ')} must have different hosts; another port is not enough`);
  }
}

const PRIVATE_RANGES = ['loopback', 'private', 'uniqueLocal'];

/** Whether only this machine or its own network reaches what listens there. Of a name nobody knows. */
function isPrivateHost(host: string): boolean {
  if (LOCAL.test(host)) return true;
  return isIP(host) !== 0 && PRIVATE_RANGES.includes(ipaddr.process(host).range());
}

const hostOf = (text: string): string => (URL.canParse(text) ? new URL(text).hostname : text);
