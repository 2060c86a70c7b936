import { countHeader } from '../http/count-header.ts';
import { foreignHost } from '../page-refusal.ts';
import type { WebApp } from '../web-deps.ts';

/**
 * Answers under the one name that the surface has. Another name that leads here (a rebound DNS name, the
 * other surface's, an address) would be another origin for the browser, or a page of ours for another's.
 */
export function installHostCheck(app: WebApp, origin: string): void {
  const { host } = new URL(origin);
  app.addHook('onRequest', async (request) => {
    const isOurs = request.headers.host?.toLowerCase() === host;
    if (!isOurs || countHeader(request.raw, 'host') !== 1) throw foreignHost();
    // RFC 9112 section 3.2.2: a target in absolute form would take the place of Host.
    if (!request.url.startsWith('/')) throw foreignHost();
  });
}
