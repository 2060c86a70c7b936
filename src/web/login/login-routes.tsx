import type { FastifyReply, FastifyRequest } from 'fastify';
import { askForCode } from '../../modules/customers/access/ask-for-code.ts';
import { readDevice } from '../../modules/customers/access/devices.ts';
import {
  ADDRESS_LENGTH_MAX,
  readEmailAddress,
} from '../../domain/customers/access/email-address.ts';
import { deviceCookie } from '../kit/device-cookie.ts';
import { readForm } from '../kit/forms/read-form.ts';
import { tooMuch } from '../kit/page-refusal.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { AccessPageDeps } from './access-page-deps.ts';
import {
  browserOf,
  keepLoginState,
  nextOf,
  readLoginState,
  type LoginState,
} from './login-state.ts';
import { NEXT, showLogin } from './show-login.ts';
import { sentFormOf } from '../kit/sent-form-of.ts';

const HOUR_MS = 3_600_000;

const FIELDS = {
  address: {
    what: 'your email address',
    lengthMax: ADDRESS_LENGTH_MAX,
    check: (text: string) =>
      readEmailAddress(text) === null
        ? 'Enter your email address, for example name@example.com.'
        : null,
  },
  next: NEXT,
} as const;

/** GET and POST /login, POST /login/another: from an address to its code. */
export function registerLogin(app: WebApp, deps: AccessPageDeps): void {
  const show = showLogin.bind(null, deps);

  app.get('/login', { config: { right: 'public' } }, async ({ query }, reply) => {
    const { next } = query as { readonly next?: unknown };
    return show(reply, { address: '', next: nextOf(next) });
  });
  if (deps.provider?.isOnly === true) return;

  app.post('/login', { config: { right: 'public', form: FIELDS } }, async (request, reply) => {
    const { values, problems } = readForm(FIELDS, sentFormOf(request).texts);
    const address = readEmailAddress(values.address);
    if (problems.length > 0 || address === null) return show(reply, values, problems);
    return send(request, reply, { address, next: nextOf(values.next) });
  });

  app.post('/login/another', { config: { right: 'public', form: {} } }, async (request, reply) => {
    const state = readLoginState(deps.vault, request);
    if (state === null) return show(reply, { address: '', next: '/' });
    return send(request, reply, state);
  });

  /** The same answer to every address. */
  async function send(request: FastifyRequest, reply: FastifyReply, state: LoginState) {
    const asker = {
      ...{ surface: deps.surface, address: state.address, browser: browserOf(request) },
      ...{ device: readDevice(deviceCookie(request)) },
      ...{ network: request.network, wideNetwork: request.wideNetwork },
    };
    if (!(await askForCode(deps, asker, sentFormOf(request).use))) {
      throw tooMuch(Math.ceil((HOUR_MS - (deps.clock.now().getTime() % HOUR_MS)) / 1_000));
    }
    keepLoginState(deps.vault, request, reply, state);
    return reply.redirect('/login/code', 303);
  }
}
