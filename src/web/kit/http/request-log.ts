import type { App } from './app-type.ts';

/**
 * One line a request, from an allowlist: the method, the route's pattern instead of the URL with its
 * ids, status, milliseconds, and on pages the id of who is logged in. Headers, queries and bodies never get here.
 */
export function installRequestLog(app: App): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.is404 ? 'unknown' : request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        person: request.person?.id,
      },
      'request',
    );
  });
}
