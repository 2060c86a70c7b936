import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import { tagOfDevice, taggedDevice } from '../device-cookie.ts';
import { notNow, tooMuch } from '../page-refusal.ts';
import type { StrangerShare, WebApp } from '../web-deps.ts';

/** Requests without a session in a minute: of one /24 or /64, and of the /48 around a /64. */
const OF_A_NETWORK = 300;
const OF_A_WIDE_NETWORK = 1_200;
const MINUTE_MS = 60_000;
/** Of one known device: it has a place of its own, whatever its network does. */
const OF_A_DEVICE = 120;
/**
 * Requests in a second that ask PostgreSQL, of all strangers together: a process answers more only by making all wait.
 * Each share has its own, so that a flood of requests for codes keeps out nobody who shows a code or a passkey. A passkey
 * that nobody has costs one statement, a third of what the others cost.
 */
const OF_ALL_STRANGERS: Readonly<Record<StrangerShare, number>> = {
  ASKS: 80,
  CODES: 80,
  PASSKEYS: 240,
};
const SECOND_MS = 1_000;
/** Networks, or devices, in memory; the one unseen for longest is forgotten first. */
const KEYS_MAX = 50_000;

/** Requests without a session that PostgreSQL works for at once: fewer than its pool has connections. */
const AT_ONCE_MAX = 2;
/** Requests of one priority that wait for that, some milliseconds each. */
const WAITING_MAX = 100;
/** Whose turn is first. */
const PRIORITIES = { known: 2, ASKS: 0, CODES: 1, PASSKEYS: 1 } as const;

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
  const ofAll = {
    ASKS: limiter(OF_ALL_STRANGERS.ASKS, SECOND_MS, () => 'all'),
    CODES: limiter(OF_ALL_STRANGERS.CODES, SECOND_MS, () => 'all'),
    PASSKEYS: limiter(OF_ALL_STRANGERS.PASSKEYS, SECOND_MS, () => 'all'),
  };
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
    if (isKnown || !asksPostgres(request)) return;
    if ((await ofAll[shareOf(request)](request)) !== null) throw notNow();
  });
  // Once the form is there and found to be one of ours: a body that trickles holds no place.
  app.addHook('preHandler', async (request) => {
    if (!isLimited(request) || !asksPostgres(request)) return;
    const isKnown = taggedDevice(vault, request) !== null;
    const priority = isKnown ? PRIORITIES.known : PRIORITIES[shareOf(request)];
    if (!isKnown && queue.sizeBy({ priority }) >= WAITING_MAX) throw notNow();
    await new Promise<void>((resolve) => {
      void queue.add(
        () =>
          new Promise<void>((end) => {
            ends.set(request, end);
            resolve();
          }),
        { priority },
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

const shareOf = ({ routeOptions: { config } }: FastifyRequest): StrangerShare =>
  config.share ?? 'ASKS';

/** A form, or a link of a mail. The other pages are the same for everyone. */
const asksPostgres = ({ method, routeOptions: { url = '' } }: FastifyRequest): boolean =>
  method === 'POST' || url.includes(':');
