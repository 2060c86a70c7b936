import type { FastifyRequest } from 'fastify';
import type { WebApp } from '../web-deps.ts';

/** Keys in memory; the one unseen for longest is forgotten first. */
const KEYS_MAX = 50_000;

/**
 * A limit in the memory of this process: a flood is to cost nothing elsewhere. Counts a request, and answers the seconds until
 * there is room again; null where there is.
 */
export function memoryLimit(
  app: WebApp,
  { max, windowMs }: { readonly max: number; readonly windowMs: number },
  keyOf: (request: FastifyRequest) => string,
): (request: FastifyRequest) => Promise<number | null> {
  // The types do not know `cache` here; the plugin does.
  const options = { max, timeWindow: windowMs, cache: KEYS_MAX, keyGenerator: keyOf };
  const limit = app.createRateLimit(options);
  return async (request) => {
    const answer = await limit(request);
    return !answer.isAllowed && answer.isExceeded ? answer.ttlInSeconds : null;
  };
}
