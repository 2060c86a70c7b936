import type { FastifyRequest } from 'fastify';
import { forgedForm } from '../page-refusal.ts';
import type { WebApp } from '../web-deps.ts';

/**
 * Takes requests that change something from pages of this origin only. Browsers say so themselves:
 * `Sec-Fetch-Site` where they know it, else `Origin`. A request that says neither, or the two
 * differently, is none of theirs.
 */
export function installOriginCheck(app: WebApp, origin: string): void {
  app.addHook('onRequest', async (request) => {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    if (!isSameOrigin(request, origin)) throw forgedForm();
  });
}

function isSameOrigin({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined && headers.origin !== origin) return false;
  return site === undefined ? headers.origin !== undefined : site === 'same-origin';
}
