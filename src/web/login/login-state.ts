import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Vault } from '../../vault/vault.ts';
import { formSession } from '../kit/forms/visitor.ts';
import { isLocalPath } from '../kit/local-path.ts';

/** A login under way, kept by the browser that asked, sealed for it: the page of the code can be loaded again. */
const COOKIE = '__Host-login';
const OPTIONS = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;
/** Codes are good for five minutes; another one may be asked for meanwhile. */
const LIFE_S = 3_600;

export interface LoginState {
  readonly address: string;
  /** Where the login leads. */
  readonly next: string;
  /** The provider that named the address; left out where its code is mailed. */
  readonly provider?: string;
}

/** The browser that logs in, as its forms and codes know it. */
export function browserOf(request: FastifyRequest): string {
  const browser = formSession(request);
  if (browser === null) throw new Error('a form was sent by no browser');
  return browser;
}

export function keepLoginState(
  vault: Pick<Vault, 'sealJson'>,
  request: FastifyRequest,
  reply: FastifyReply,
  state: LoginState,
): void {
  const sealed = vault.sealJson(state, rowOf(browserOf(request)));
  void reply.setCookie(COOKIE, sealed.toString('base64url'), { ...OPTIONS, maxAge: LIFE_S });
}

/** Null where no login is under way in this browser. */
export function readLoginState(
  vault: Pick<Vault, 'openJson'>,
  request: FastifyRequest,
): LoginState | null {
  const [sealed, browser] = [request.cookies[COOKIE], formSession(request)];
  if (sealed === undefined || browser === null) return null;
  try {
    return vault.openJson<LoginState>(Buffer.from(sealed, 'base64url'), rowOf(browser));
  } catch {
    // Another browser's, or nothing of ours.
    return null;
  }
}

export function clearLoginState(reply: FastifyReply): void {
  void reply.clearCookie(COOKIE, OPTIONS);
}

/** Where a login leads: to a page of this site that was asked for, and to no other site. */
export function nextOf(given: unknown): string {
  const isPage =
    typeof given === 'string' && isLocalPath(given) && !/^\/log-?(in|out)\b/.test(given);
  return isPage ? given : '/';
}

const rowOf = (browser: string): string => `login/${browser}`;
