import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/actor.ts';
import { ERRORS } from '../../domain/errors/registry.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import { parseApiKeyToken } from '../../modules/customers/api-key-token.ts';
import type { Permission } from '../../domain/customers/keys/permissions.ts';
import type { Scope } from '../../domain/scope.ts';
import { storableAddress } from '../../web/kit/http/client-address.ts';
import type { HttpDeps } from '../deps.ts';
import type { App } from '../../web/kit/http/app-type.ts';
import { createKeyFinder } from '../find-key.ts';
import { identifyKey, invalidKey, judgeKey, missingKey } from '../judge-key.ts';
import { createKeyUsage } from '../key-usage.ts';
import type { RateLimits } from './rate-limit.ts';
import { noteKnownKey } from './request-record.ts';

// The scheme's name is case-insensitive (RFC 9110 section 11.1).
const BEARER = /^bearer +(\S+) *$/i;

/** For how long a key is taken for what it was. A withdrawal holds within 1 s; few bodies take as long. */
const FRESH_MS = 250;

/** When the look-up began by which a request was let in, in ms since it came. */
const judgedAt = new WeakMap<FastifyRequest, number>();
const scopes = new WeakMap<FastifyRequest, Scope>();
const actors = new WeakMap<FastifyRequest, Actor>();

/**
 * Lets requests in by API key, before their body is read, and again where that took long. Every route of `app` must say which
 * permission it asks for, `any-key`, or that it is public; one that says nothing fails the start.
 */
export function installAuthentication(app: App, deps: HttpDeps, limits: RateLimits): void {
  const findKey = createKeyFinder(deps.db);
  const usage = createKeyUsage(deps.db, app.log);
  app.addHook('onClose', () => usage.stop());
  app.addHook('onRoute', (route) => {
    const isPublic = route.config?.public === true;
    const permission = route.config?.permission;
    if (!isPublic && permission === undefined) {
      throw new Error(`route ${route.url} says neither a permission nor that it is public`);
    }
    route.schema = { ...route.schema, ...(isPublic ? { security: [] } : neededScope(permission)) };
  });
  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions;
    if (config.public === true) return;
    judgedAt.set(request, reply.elapsedTime);
    const key = await authenticate(request, reply);
    scopes.set(request, { customerId: key.customerId, environment: key.environment });
    actors.set(request, { kind: 'API_KEY', id: key.id });
    usage.note(key.id, { at: deps.clock.now(), address: storableAddress(request.clientAddress) });
    const scope = request.scope;
    await limits.charge(reply, scope, config.ratePolicy);
  });
  // A body may be half a minute in coming: what was withdrawn meanwhile is withdrawn.
  app.addHook('preValidation', async (request, reply) => {
    const at = judgedAt.get(request);
    if (at === undefined || reply.elapsedTime - at < FRESH_MS) return;
    await authenticate(request, reply);
  });

  async function authenticate(request: FastifyRequest, reply: FastifyReply) {
    try {
      const header = request.headers.authorization;
      const text = header === undefined ? undefined : BEARER.exec(header)?.[1];
      if (header === undefined || !/^bearer\b/i.test(header)) throw missingKey();
      const token = text === undefined ? null : parseApiKeyToken(text);
      if (token === null) throw invalidKey();
      const found = await findKey(token.publicId);
      const key = identifyKey(deps.vault, found, token.token);
      noteKnownKey(request, key.id);
      return judgeKey(await deps.liveApprovals.honour(key), {
        address: request.clientAddress,
        permission: request.routeOptions.config.permission ?? 'any-key',
        now: deps.clock.now(),
      });
    } catch (error) {
      const isFailure = error instanceof Refusal && ERRORS[error.code].status === 401;
      if (isFailure) await limits.chargeFailure(reply, request.clientAddress);
      throw error;
    }
  }
}

/** What the document says of the key that a route needs. */
function neededScope(permission: Permission | 'any-key' | undefined) {
  if (permission === undefined || permission === 'any-key') return { security: [{ apiKey: [] }] };
  return { security: [{ apiKey: [permission] }], 'x-required-scope': permission };
}

/** Declares `request.scope` and `request.actor`. Reading them on a request without a key is a bug. */
export function declareCaller(app: App): void {
  app.decorateRequest('scope', { getter: readOrThrow(scopes) });
  app.decorateRequest('actor', { getter: readOrThrow(actors) });
}

function readOrThrow<Value>(map: WeakMap<FastifyRequest, Value>) {
  return function read(this: FastifyRequest): Value {
    const value = map.get(this);
    if (value === undefined) throw new Error('the request was not authenticated');
    return value;
  };
}
