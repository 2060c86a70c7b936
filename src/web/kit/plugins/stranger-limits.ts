import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { notNow, tooMuch } from '../page-refusal.ts';
import type { WebApp } from '../web-deps.ts';

/** Requests without a session in a minute: of one /24 or /64, and of the /48 around a /64. */
const OF_A_NETWORK = 300;
const OF_A_WIDE_NETWORK = 1_200;
const MINUTE_MS = 60_000;
/** Networks in memory; the one unseen for longest is forgotten first. */
const NETWORKS_MAX = 50_000;

/** Requests without a session that PostgreSQL works for at once: fewer than its pool has connections. */
const AT_ONCE_MAX = 2;
/** Requests that wait for that, some milliseconds each. */
const WAITING_MAX = 100;

/**
 * Bounds what requests to pages without a session cost, before they reach PostgreSQL: each network has a share of a
 * minute, and all of them together never take every connection, so that a flood of logins keeps out no one who is
 * logged in. Assets and /health cost nothing.
 */
export async function installStrangerLimits(app: WebApp): Promise<void> {
  // In the memory of this process: a flood is to cost nothing elsewhere.
  await app.register(rateLimit, { global: false });
  const limiters = [
    app.createRateLimit({
      ...{ max: OF_A_NETWORK, timeWindow: MINUTE_MS, cache: NETWORKS_MAX },
      keyGenerator: ({ network }) => network,
    }),
    app.createRateLimit({
      ...{ max: OF_A_WIDE_NETWORK, timeWindow: MINUTE_MS, cache: NETWORKS_MAX },
      keyGenerator: ({ wideNetwork }) => wideNetwork,
    }),
  ];
  const queue = new PQueue({ concurrency: AT_ONCE_MAX });
  const ends = new WeakMap<FastifyRequest, () => void>();
  const leave = (request: FastifyRequest) => {
    ends.get(request)?.();
    ends.delete(request);
  };

  app.addHook('onRequest', async (request) => {
    if (!isLimited(request)) return;
    for (const limit of limiters) {
      const answer = await limit(request);
      if (!answer.isAllowed && answer.isExceeded) throw tooMuch(answer.ttlInSeconds);
    }
  });
  // Once the form is there and found to be one of ours: a body that trickles holds no place.
  app.addHook('preHandler', async (request) => {
    if (!isLimited(request) || !asksPostgres(request)) return;
    if (queue.size >= WAITING_MAX) throw notNow();
    await new Promise<void>((resolve) => {
      void queue.add(
        () =>
          new Promise<void>((end) => {
            ends.set(request, end);
            resolve();
          }),
      );
    });
  });
  app.addHook('onSend', async (request) => {
    leave(request);
  });
  app.addHook('onResponse', async (request) => {
    leave(request);
  });
}

const isLimited = ({ routeOptions: { config } }: FastifyRequest): boolean =>
  config.right === 'public' && config.isStatic !== true;

/** A form, or a link of a mail. The other pages are the same for everyone. */
const asksPostgres = ({ method, routeOptions: { url = '' } }: FastifyRequest): boolean =>
  method === 'POST' || url.includes(':');
