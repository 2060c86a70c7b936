import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { tagOfDevice, taggedDevice } from '../device-cookie.ts';
import { memoryLimit } from './memory-limit.ts';
import { notNow, tooMuch } from '../page-refusal.ts';
import type { StrangerShare, WebApp, WebDeps } from '../web-deps.ts';

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
const STRANGERS_PER_SECOND: Readonly<Record<StrangerShare, number>> = {
  ASKS: 80,
  CODES: 80,
  PASSKEYS: 240,
};
const SECOND_MS = 1_000;

/** Requests without a session that PostgreSQL works for at once: fewer than its pool has connections. */
const AT_ONCE_MAX = 2;
/** Requests of one share that wait for that, some milliseconds each. */
const WAITING_MAX = 100;
/**
 * Whose turn is first. Each has its own, because the places to wait are counted by it. Codes go before passkeys: there are
 * fewer of them, so they take less from the others.
 */
const PRIORITIES = { known: 3, CODES: 2, PASSKEYS: 1, ASKS: 0 } as const;

type StrangerLimitDeps = Pick<WebDeps, 'vault' | 'strangersPerSecond'>;

/**
 * Bounds what requests to pages without a session cost, before they reach PostgreSQL: each network has a share of a
 * minute, all of them together one of a second, and they never take every connection. So a flood of logins keeps out
 * no one who is logged in, and no browser that was here before: that has a share of its own. Assets and /health cost
 * nothing.
 */
export async function installStrangerLimits(
  app: WebApp,
  { vault, strangersPerSecond = STRANGERS_PER_SECOND }: StrangerLimitDeps,
): Promise<void> {
  app.decorateReply('deviceTag', (device: string) => tagOfDevice(vault, device));
  await app.register(rateLimit, { global: false });
  const inAMinute = (max: number, keyOf: (request: FastifyRequest) => string) =>
    memoryLimit(app, { max, windowMs: MINUTE_MS }, keyOf);
  const ofDevice = inAMinute(OF_A_DEVICE, (request) => taggedDevice(vault, request) ?? '');
  const ofNetworks = [
    inAMinute(OF_A_NETWORK, ({ network }) => network),
    inAMinute(OF_A_WIDE_NETWORK, ({ wideNetwork }) => wideNetwork),
  ];
  const ofAll = (share: StrangerShare) =>
    memoryLimit(app, { max: strangersPerSecond[share], windowMs: SECOND_MS }, () => 'all');
  const shares = { ASKS: ofAll('ASKS'), CODES: ofAll('CODES'), PASSKEYS: ofAll('PASSKEYS') };
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
  });
  // Once the form is there and found to be one of ours: a body that trickles holds no place, and other forms are not counted.
  app.addHook('preHandler', async (request) => {
    if (!isLimited(request) || !asksPostgres(request)) return;
    const isKnown = taggedDevice(vault, request) !== null;
    const share = request.routeOptions.config.share ?? 'ASKS';
    const priority = isKnown ? PRIORITIES.known : PRIORITIES[share];
    if (!isKnown) {
      const isFull = queue.sizeBy({ priority }) >= WAITING_MAX;
      if ((await shares[share](request)) !== null || isFull) throw notNow();
    }
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

/** A form, or a link of a mail. The other pages are the same for everyone. */
const asksPostgres = ({ method, routeOptions: { url = '' } }: FastifyRequest): boolean =>
  method === 'POST' || url.includes(':');
