import type { FastifyRequest } from 'fastify';
import type { Surface } from '../../domain/customers/access/rights.ts';
import type { App } from '../../web/kit/http/app-type.ts';
import type { Metrics } from './metrics.ts';

const isOf = (request: FastifyRequest, method: string, path: string): boolean =>
  request.method === method && request.routeOptions.url === path;

/** Measures answers to `POST /payments` of an API that does not listen yet. */
export function measurePaymentRequests(app: App, metrics: Pick<Metrics, 'observe'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (isOf(request, 'POST', '/api/v1/payments')) {
      const { statusCode, elapsedTime } = reply;
      const status = statusCode >= 500 ? '5xx' : statusCode >= 400 ? '4xx' : '2xx';
      metrics.observe('paymentRequests', { status }, elapsedTime / 1_000);
    }
    done();
  });
}

/** What a login is judged by: a code, a passkey, or the word of a provider. */
const LOGINS = [
  ['POST', '/login/code'],
  ['POST', '/login/passkey'],
  ['GET', '/login/provider/callback'],
] as const;

/** Counts logins that a surface refuses. */
export function countFailedLogins(
  app: App,
  surface: Surface,
  metrics: Pick<Metrics, 'count'>,
): void {
  app.addHook('onResponse', (request, reply, done) => {
    const isLogin = LOGINS.some(([method, path]) => isOf(request, method, path));
    if (isLogin && reply.statusCode >= 400) metrics.count('loginsFailed', { surface });
    done();
  });
}
