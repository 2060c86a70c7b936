import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import { tagOfDevice, taggedDevice } from '../device-cookie.ts';
import { notNow, tooMuch } from '../page-refusal.ts';
import type { WebApp } from '../web-deps.ts';

/** Requests without a session in a minute: of one /24 or /64, and of the /48 around a /64. */
const OF_A_NETWORK = 300;
const OF_A_WIDE_NETWORK = 1_200;
const MINUTE_MS = 60_000;
/** Of one known device: it has a place of its own, whatever its network does. */
const OF_A_DEVICE = 120;
/** Requests in a second that ask PostgreSQL, of all strangers together: a process answers more only by making all wait. */
const OF_ALL_STRANGERS = 80;
const SECOND_MS = 1_000;
/** Networks, or devices, in memory; the one unseen for longest is forgotten first. */
const KEYS_MAX = 50_000;

/** Requests without a session that PostgreSQL works for at once: fewer than its pool has connections. */
const AT_ONCE_MAX = 2;
/** Requests that wait for that, some milliseconds each. */
const WAITING_MAX = 100;

/**
 * Bounds what requests to pages without a session cost, before they reach PostgreSQL: each network has a share of a
 * minute, all of them together one of a second, and they never take every connection. So a flood of logins keeps out
 * no one who is logged in, and no browser that was here before: that has a share of its own. Assets and /health cost
 * nothing.
 */
export async function installStrangerLimits(app: WebApp, vault: KeyedHashes): Promise<void> {
  app.decorateReply('deviceTag', (device: string) => tagOfDevice(vault, device));
  // In the memory of this process: a flood is to cost nothing elsewhere.
  await app.register(rateLimit, { global: false });
  const limiter = (
    max: number,
    timeWindow: number,
    keyGenerator: (request: FastifyRequest) => string,
  ) => {
    // The types do not know `cache` here; the plugin does.
    const options = { max, timeWindow, cache: KEYS_MAX, keyGenerator };
    const limit = app.createRateLimit(options);
    /** Seconds until there is room again; null where there is. */
    return async (request: FastifyRequest): Promise<number | null> => {
      const answer = await limit(request);
      return !answer.isAllowed && answer.isExceeded ? answer.ttlInSeconds : null;
    };
  };
  const ofDevice = limiter(OF_A_DEVICE, MINUTE_MS, (request) => taggedDevice(vault, request) ?? '');
  const ofNetworks = [
    limiter(OF_A_NETWORK, MINUTE_MS, ({ network }) => network),
    limiter(OF_A_WIDE_NETWORK, MINUTE_MS, ({ wideNetwork }) => wideNetwork),
  ];
  const ofAll = limiter(OF_ALL_STRANGERS, SECOND_MS, () => 'all');
  const queue = new PQueue({ concurrency: AT_ONCE_MAX });
  const ends = new WeakMap<FastifyRequest, () => void>();
  const leave = (request: FastifyRequest) => {
    ends.get(request)?.();
    ends.delete(request);
  };

  app.addHook('onRequest', async (request) => {
    if (!isLimited(request)) return;
    const isKnown = taggedDevice(vault, request) !== null;
    for (const limit of isKnown ? [ofDevice] : ofNetworks) {
      const seconds = await limit(request);
      if (seconds !== null) throw tooMuch(seconds);
    }
    if (!isKnown && asksPostgres(request) && (await ofAll(request)) !== null) throw notNow();
  });
  // Once the form is there and found to be one of ours: a body that trickles holds no place.
  app.addHook('preHandler', async (request) => {
    if (!isLimited(request) || !asksPostgres(request)) return;
    const isKnown = taggedDevice(vault, request) !== null;
    if (!isKnown && queue.size >= WAITING_MAX) throw notNow();
    await new Promise<void>((resolve) => {
      void queue.add(
        () =>
          new Promise<void>((end) => {
            ends.set(request, end);
            resolve();
          }),
        { priority: isKnown ? 1 : 0 },
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
