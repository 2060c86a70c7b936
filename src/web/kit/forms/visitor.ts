import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Marks a browser in which no one is logged in, so that its forms are its own. */
const COOKIE = '__Host-visitor';
const VALUE = /^[A-Za-z0-9_-]{43}$/;

const made = new WeakMap<FastifyRequest, string>();

/** Whom a request's forms are bound to: its session, or its visitor; null where it has neither. */
export function formSession(request: FastifyRequest): string | null {
  if (request.person !== null) return `session:${request.person.sessionId}`;
  const known = made.get(request) ?? request.cookies[COOKIE];
  return known !== undefined && VALUE.test(known) ? `visitor:${known}` : null;
}

/** The same; makes a visitor of who is neither. */
export function openFormSession(request: FastifyRequest, reply: FastifyReply): string {
  const known = formSession(request);
  if (known !== null) return known;
  const visitor = randomBytes(32).toString('base64url');
  made.set(request, visitor);
  void reply.setCookie(COOKIE, visitor, {
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'lax',
  });
  return `visitor:${visitor}`;
}

/** Who has logged in is no visitor any more. */
export function clearVisitor(reply: FastifyReply): void {
  void reply.clearCookie(COOKIE, { path: '/', httpOnly: true, secure: true, sameSite: 'lax' });
}
