import type { FastifyRequest } from 'fastify';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import { storableAddress } from '../../web/kit/http/client-address.ts';
import type { HttpDeps } from '../deps.ts';
import type { App } from '../../web/kit/http/app-type.ts';
import { createRequestRecorder } from '../request-recorder.ts';
import { errorCodeOf } from './errors.ts';

const knownKeys = new WeakMap<FastifyRequest, string>();
const madePayments = new WeakMap<FastifyRequest, string>();

/** Whose secret came with a request, whether it is let in or not. */
export function noteKnownKey(request: FastifyRequest, apiKeyId: string): void {
  knownKeys.set(request, apiKeyId);
}

// The first member of a payment's answer; a replayed answer is the same text.
const MADE = /^\{"id":"(pay_[0-9a-z]{26})"/;

/**
 * Writes every request with a known key into the request log: what it was, and never what it said. The
 * route's pattern stands in the place of the URL.
 */
export function installRequestRecord(app: App, deps: HttpDeps): void {
  const recorder = createRequestRecorder(deps, app.log);
  app.addHook('onClose', () => recorder.stop());
  app.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 201 && typeof payload === 'string') {
      const id = MADE.exec(payload.slice(0, 40))?.[1];
      if (id !== undefined) madePayments.set(request, id);
    }
    return payload;
  });
  app.addHook('onResponse', async (request, reply) => {
    const apiKeyId = knownKeys.get(request);
    if (apiKeyId === undefined) return;
    recorder.note({
      ...{ apiKeyId, requestId: request.id, at: deps.clock.now(), method: request.method },
      ...{ route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
      errorCode: errorCodeOf(request),
      durationMs: Math.max(0, Math.round(reply.elapsedTime)),
      address: storableAddress(request.clientAddress),
      paymentId: reply.statusCode < 400 ? paymentOf(request) : null,
    });
  });
}

/** The payment that a request made, or that its path names. */
function paymentOf(request: FastifyRequest): string | null {
  const made = madePayments.get(request);
  if (made !== undefined) return made;
  const { paymentId } = (request.params ?? {}) as { readonly paymentId?: unknown };
  return typeof paymentId === 'string' && isId(ID_PREFIXES.payment, paymentId) ? paymentId : null;
}
