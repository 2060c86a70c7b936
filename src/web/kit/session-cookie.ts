import type { FastifyReply } from 'fastify';
import type { Surface } from '../../domain/customers/access/rights.ts';

/** Where a browser keeps its session's token. `__Host-`: of this host alone, over TLS alone. */
export const SESSION_COOKIES: Readonly<Record<Surface, string>> = {
  dashboard: '__Host-dashboard',
  console: '__Host-console',
};

const OPTIONS = { path: '/', httpOnly: true, secure: true, sameSite: 'lax' } as const;

/** Gives the browser the token of its session, until it is closed; the session's own end is the server's. */
export function setSessionCookie(reply: FastifyReply, surface: Surface, token: string): void {
  void reply.setCookie(SESSION_COOKIES[surface], token, OPTIONS);
}

export function clearSessionCookie(reply: FastifyReply, surface: Surface): void {
  void reply.clearCookie(SESSION_COOKIES[surface], OPTIONS);
}
