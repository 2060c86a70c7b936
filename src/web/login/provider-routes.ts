import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoginProvider, ProviderVisit } from '../../domain/customers/access/login-provider.ts';
import { browserName } from '../../domain/customers/access/browser-name.ts';
import { readDevice } from '../../modules/customers/access/devices.ts';
import {
  logInByProvider,
  type ProviderRefusal,
} from '../../modules/customers/access/log-in-by-provider.ts';
import { deviceCookie } from '../kit/device-cookie.ts';
import { formSession, openFormSession } from '../kit/forms/visitor.ts';
import { loginIsOver, PageRefusal } from '../kit/page-refusal.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import { sendOutcome } from './login-code-routes.tsx';
import { keepLoginState, nextOf } from './login-state.ts';

/** A visit to the provider under way, kept by the browser that went there, sealed for it. */
const COOKIE = '__Host-provider';
const OPTIONS = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;
const LIFE_MS = 10 * 60_000;

interface KeptVisit {
  readonly visit: ProviderVisit;
  readonly next: string;
  /** Milliseconds. */
  readonly startedAt: number;
}

/** GET /login/provider, which leads to the provider, and GET /login/provider/callback, where it leads back to. */
export function registerProvider(app: WebApp, deps: AccessPageDeps): void {
  if (deps.provider !== null) registerVisits(app, deps, deps.provider);
}

function registerVisits(app: WebApp, deps: AccessPageDeps, provider: LoginProvider): void {
  const { vault, clock } = deps;

  app.get('/login/provider', { config: { right: 'public' } }, async (request, reply) => {
    const { next } = request.query as { readonly next?: unknown };
    // From a page of this site: a link elsewhere logs nobody in.
    if (request.headers['sec-fetch-site'] !== 'same-origin') {
      const page = nextOf(next);
      const query = page === '/' ? '' : `?next=${encodeURIComponent(page)}`;
      return reply.redirect(`/login${query}`, 303);
    }
    const started = await provider.start();
    if (started.kind === 'FAILED') throw unreachable(request, started.code);
    const browser = openFormSession(request, reply);
    const kept: KeptVisit = {
      ...{ visit: started.visit, next: nextOf(next), startedAt: clock.now().getTime() },
    };
    const sealed = vault.sealJson(kept, rowOf(browser)).toString('base64url');
    void reply.setCookie(COOKIE, sealed, { ...OPTIONS, maxAge: LIFE_MS / 1_000 });
    return reply.redirect(started.url, 303);
  });

  app.get('/login/provider/callback', { config: { right: 'public' } }, async (request, reply) => {
    const kept = readVisit(request);
    // One visit is answered once by this browser.
    void reply.clearCookie(COOKIE, OPTIONS);
    if (kept === null) throw loginIsOver();
    const query = request.url.slice(request.url.indexOf('?'));
    const answer = await provider.finish(query, kept.visit);
    if (answer.kind === 'FAILED') throw unreachable(request, answer.code);
    if (answer.kind === 'REFUSED') {
      warn(request, answer.code);
      throw loginIsOver();
    }
    return logIn(request, reply, kept.next, answer.identity);
  });

  function warn(request: FastifyRequest, code: string): void {
    request.log.warn({ provider: provider.issuer, code }, 'a login by provider failed');
  }

  function unreachable(request: FastifyRequest, code: string): PageRefusal {
    warn(request, code);
    return new PageRefusal(
      503,
      'You are not logged in',
      `The login with ${provider.name} did not work. Try again in a moment.`,
      { 'retry-after': '10' },
    );
  }

  function readVisit(request: FastifyRequest): KeptVisit | null {
    const [sealed, browser] = [request.cookies[COOKIE], formSession(request)];
    if (sealed === undefined || browser === null) return null;
    try {
      const kept = vault.openJson<KeptVisit>(Buffer.from(sealed, 'base64url'), rowOf(browser));
      return clock.now().getTime() - kept.startedAt <= LIFE_MS ? kept : null;
    } catch {
      // Another browser's, or nothing of ours.
      return null;
    }
  }

  async function logIn(
    request: FastifyRequest,
    reply: FastifyReply,
    next: string,
    identity: Parameters<typeof logInByProvider>[2],
  ) {
    const logged = await logInByProvider(deps, provider, identity, {
      ...{ surface: deps.surface, browser: openFormSession(request, reply) },
      ...{ device: readDevice(deviceCookie(request)), network: request.network },
      ...{ wideNetwork: request.wideNetwork },
      browserName: browserName(request.headers['user-agent']),
    });
    if ('refusal' in logged) {
      warn(request, logged.refusal);
      throw refusalOf(logged.refusal, provider);
    }
    const state = { address: logged.address, next, provider: provider.issuer };
    keepLoginState(vault, request, reply, state);
    return sendOutcome(deps, reply, state, logged.code, logged.outcome);
  }
}

const rowOf = (browser: string): string => `login-provider/${browser}`;

const REFUSALS: Readonly<Record<ProviderRefusal, (name: string) => string>> = {
  NO_ADDRESS: (name) => `The login with ${name} names no email address that is verified there.`,
  NO_ACCOUNT: (name) => `The email address of your login with ${name} has no account here.`,
  NO_ROLE: (name) => `Your login with ${name} does not grant the role of your account here.`,
};

const refusalOf = (refusal: ProviderRefusal, { name }: LoginProvider) =>
  new PageRefusal(403, 'You are not logged in', REFUSALS[refusal](name));
