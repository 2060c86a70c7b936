import { Type, type Static } from 'typebox';
import { port, url } from './setting-types.ts';
import type { Report } from './settings.ts';

/** Where people reach the process web, and where it listens. Links in mails begin with these URLs. */
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
  opsPort: port('OPS_PORT', 8082, 'The port that the console listens on.'),
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
  if (hostOf(web.dashboardUrl) === hostOf(web.opsUrl)) {
    // A cookie is a host's, whatever the port.
    const names = ['DASHBOARD_URL', 'OPS_URL'];
    report(names, `${names.join(' and ')} must have different hosts; another port is not enough`);
  }
}

const hostOf = (text: string): string => (URL.canParse(text) ? new URL(text).hostname : text);
