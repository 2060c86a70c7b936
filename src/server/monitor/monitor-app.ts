import Fastify, { type FastifyInstance } from 'fastify';

/** What one part of a process says of itself, by the name of the part: `ok`, or what is wrong. */
export type Checks = Readonly<Record<string, string>>;

/** What probes and Prometheus ask a process. */
export interface Monitored {
  /** What must hold, or the process has to be started anew. An outage elsewhere is none of it. */
  readonly live: () => Checks;
  /** What must hold, or the process gets no work. */
  readonly ready: () => Promise<Checks>;
  /** In the text format of Prometheus. */
  readonly metrics: () => Promise<string>;
}

/** The text format of Prometheus, version 0.0.4. */
const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const REQUEST_TIMEOUT_MS = 10_000;
const BODY_BYTES_MAX = 1_024;

/** GET /live, /ready, and /metrics. It names states, counts and ages, and nothing of a customer. */
export function buildMonitor({ live, ready, metrics }: Monitored): FastifyInstance {
  const app = Fastify({
    ...{ logger: false, requestTimeout: REQUEST_TIMEOUT_MS, bodyLimit: BODY_BYTES_MAX },
    return503OnClosing: false,
    // Probes keep their connections open; the process would wait for them when it ends.
    forceCloseConnections: true,
  });
  const statusOf = (checks: Checks): 200 | 503 =>
    Object.values(checks).every((check) => check === 'ok') ? 200 : 503;
  app.get('/live', (_request, reply) => {
    const checks = live();
    return reply.code(statusOf(checks)).send({ checks });
  });
  app.get('/ready', async (_request, reply) => {
    const checks = await ready();
    return reply.code(statusOf(checks)).send({ checks });
  });
  app.get('/metrics', async (_request, reply) => reply.type(METRICS_TYPE).send(await metrics()));
  return app;
}
