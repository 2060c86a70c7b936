import cookie from '@fastify/cookie';
import Fastify, { LogController } from 'fastify';
import { installRequestId, newRequestId } from './http/request-id.ts';
import { installRequestLog } from './http/request-log.ts';
import { installForms } from './plugins/forms.ts';
import { installHostCheck } from './plugins/host-check.ts';
import { installNetwork } from './plugins/network.ts';
import { installOriginCheck } from './plugins/origin-check.ts';
import { installPeople } from './plugins/people.ts';
import { installReadableUrls } from './plugins/readable-urls.ts';
import { installRefusals, sendRefusal } from './plugins/refusals.ts';
import { installSecurityHeaders, SECURITY_HEADERS } from './plugins/security-headers.ts';
import { installStrangerLimits } from './plugins/stranger-limits.ts';
import { installUnknownPages } from './plugins/unknown-pages.ts';
import { registerAssets, registerHealth } from './routes.ts';
import type { WebApp, WebDeps } from './web-deps.ts';

/** Limits of a connection, in milliseconds and bytes. */
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const HEADER_BYTES_MAX = 16_384;
const PARAM_LENGTH_MAX = 300;

const MALFORMED = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/**
 * Builds dashboard or console: everything that comes in is judged, in this order, by the name
 * it was sent to, the page, the origin, the right, the form. It listens to nothing yet.
 */
export async function buildWebApp(
  deps: WebDeps,
  registerPages: (app: WebApp) => void,
): Promise<WebApp> {
  const app: WebApp = Fastify({
    ...(deps.logger === undefined ? { logger: false } : { loggerInstance: deps.logger }),
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    requestIdHeader: false,
    genReqId: newRequestId,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false },
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    // A URL that the router cannot read: no hook has run.
    frameworkErrors: (error, request, reply) => {
      void sendRefusal(error, request, reply.headers(SECURITY_HEADERS));
    },
    clientErrorHandler: (_error, socket) => {
      if (socket.writable) socket.end(MALFORMED);
      else socket.destroy();
    },
  });
  installRefusals(app);
  installRequestId(app);
  installSecurityHeaders(app);
  installRequestLog(app);
  installHostCheck(app, deps.origin);
  installUnknownPages(app);
  installReadableUrls(app);
  installOriginCheck(app, deps.origin);
  installNetwork(app, deps.trustedProxies, deps.onUntrustedProxy);
  // Its hook reads the cookies, so it stands before what asks for them.
  await app.register(cookie);
  await installStrangerLimits(app, deps);
  installPeople(app, deps);
  await installForms(app, deps);
  registerHealth(app);
  registerAssets(app);
  registerPages(app);
  return app;
}
