import Fastify, { LogController, type FastifyHttpOptions, type RawServerDefault } from 'fastify';
import type { HttpDeps } from './deps.ts';
import type { App } from '../web/kit/http/app-type.ts';
import { createClientAddressReader } from '../web/kit/http/client-address.ts';
import { installDocuments } from './openapi/openapi.ts';
import { answerParserError } from './parser-error.ts';
import { installAnswerHeaders } from './plugins/answer-headers.ts';
import { declareCaller, installAuthentication } from './plugins/authentication.ts';
import { BODY_TIME_MS, installBodyTime, UPLOAD_TIME_MS } from './plugins/body-time.ts';
import { installClientAddress } from './plugins/client-address.ts';
import { installClosedInput } from './plugins/closed-input.ts';
import { installEntityTags } from './plugins/entity-tags.ts';
import { installErrors, sendFrameworkError } from './plugins/errors.ts';
import { BODY_BYTES_MAX, installJsonBody } from './plugins/json-body.ts';
import { installRateLimits } from './plugins/rate-limit.ts';
import { installRequestId, newRequestId } from '../web/kit/http/request-id.ts';
import { installRequestLog } from '../web/kit/http/request-log.ts';
import { installRequestRecord } from './plugins/request-record.ts';
import { installUnknownRoutes } from './plugins/unknown-routes.ts';
import { installRequestHead } from './plugins/request-head.ts';
import { registerRootRoutes } from './routes/root.ts';
import { registerV1Routes } from './routes/v1.ts';
import { AJV_OPTIONS, LAZY_COMPILERS } from './schema-compilers.ts';

const API_PREFIX = '/api/v1';

/** Limits of a connection, in milliseconds and bytes. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
const HEADER_BYTES_MAX = 16_384;
const PARAM_LENGTH_MAX = 300;

/**
 * Builds the HTTP surface: everything that comes in is judged, in this order, by URL, API key (with
 * its rate), body syntax, schema, route. It listens to nothing yet; `app.inject` works at once.
 */
export function buildApp(deps: HttpDeps): App {
  const app: App = Fastify(serverOptions(deps));
  // A refused expectation would be answered without a body; RFC 9110 section 10.1.1 allows to ignore it.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  // Without a listener Node closes the connection and says nothing.
  app.server.on('connect', (_request, socket) => {
    answerParserError(new Error('this is no proxy'), socket);
  });
  app.server.headersTimeout = BODY_TIME_MS;
  const limits = installRateLimits(app, deps);
  installErrors(app);
  installRequestId(app);
  installAnswerHeaders(app);
  installRequestLog(app);
  const { trustedProxies } = deps.settings;
  installClientAddress(
    app,
    createClientAddressReader(trustedProxies, deps.onUntrustedProxy),
    limits,
  );
  installRequestHead(app);
  installUnknownRoutes(app);
  installBodyTime(app);
  installJsonBody(app);
  declareCaller(app);
  installDocuments(app, deps.settings.publicUrl);
  void app.register(async (root) => registerRootRoutes(root as App, deps, limits));
  void app.register(
    async (v1) => {
      installRequestRecord(v1, deps);
      installAuthentication(v1, deps, limits);
      installClosedInput(v1);
      installEntityTags(v1);
      registerV1Routes(v1, deps);
    },
    { prefix: API_PREFIX },
  );
  return app;
}

function serverOptions(deps: HttpDeps): FastifyHttpOptions<RawServerDefault> {
  return {
    ...(deps.logger === undefined ? { logger: false } : { loggerInstance: deps.logger }),
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    requestIdHeader: false,
    genReqId: newRequestId,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: UPLOAD_TIME_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    http: { maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false },
    // A request that arrives while the server closes is served; Fastify's refusal has its own shape.
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    frameworkErrors: (error, request, reply) => sendFrameworkError(error, request, reply),
    clientErrorHandler: answerParserError,
    schemaController: { compilersFactory: LAZY_COMPILERS },
    ajv: { customOptions: AJV_OPTIONS },
  };
}
