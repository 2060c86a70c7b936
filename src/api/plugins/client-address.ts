import type { FastifyRequest } from 'fastify';
import type { ReadClientAddress } from '../../web/kit/http/client-address.ts';
import type { App } from '../../web/kit/http/app-type.ts';
import type { RateLimits } from './rate-limit.ts';

const addresses = new WeakMap<FastifyRequest, string>();

/** Declares `request.clientAddress` and tells every caller the policy that holds for its address. */
export function installClientAddress(app: App, read: ReadClientAddress, limits: RateLimits): void {
  app.decorateRequest('clientAddress', {
    getter(this: FastifyRequest) {
      return addresses.get(this) ?? read(this.raw.socket.remoteAddress);
    },
  });
  app.addHook('onRequest', async (request, reply) => {
    // Node joins repeated headers of this name with commas, in the order they came.
    const forwardedFor = request.headers['x-forwarded-for'];
    const text = typeof forwardedFor === 'string' ? forwardedFor : forwardedFor?.join(',');
    addresses.set(request, read(request.raw.socket.remoteAddress, text));
    limits.announce(reply, request.clientAddress);
  });
}
