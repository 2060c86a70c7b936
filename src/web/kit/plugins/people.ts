import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  rolesWith,
  type RouteRight,
  type Surface,
} from '../../../domain/customers/access/rights.ts';
import type { Person } from '../../../domain/customers/access/person.ts';
import { isLocalPath } from '../local-path.ts';
import { missingRight, noSuchPage, suspendedCustomer } from '../page-refusal.ts';
import { SESSION_COOKIES } from '../session-cookie.ts';
import type { WebApp, WebDeps } from '../web-deps.ts';

/**
 * Lets people in by the table of rights. Every route must name a right that its surface's table has, or
 * that it is public, or for any person; one that does not fails the start. No one is sent to the login
 * first; who lacks the right is told which roles have it. A form is judged by it twice: before its body is
 * read, and once it is there.
 */
export function installPeople(app: WebApp, deps: Pick<WebDeps, 'surface' | 'findPerson'>): void {
  const { surface, findPerson } = deps;
  app.decorateRequest('person', null);
  app.decorateRequest('stillAdmitted', async function (this: FastifyRequest) {
    const { right = 'public' } = this.routeOptions.config;
    const token = this.cookies[SESSION_COOKIES[surface]];
    const person = token === undefined ? null : await findPerson(token, false);
    return person !== null && !isConfined(person, right) && isOpenTo(surface, right, person.role);
  });
  app.addHook('onRoute', ({ url, config }) => {
    const right = config?.right;
    if (right === undefined) throw new Error(`page ${url} names no right`);
    if (!isOpen(right) && rolesWith(surface, right) === null) {
      throw new Error(`page ${url} names ${right}, which is no right of the ${surface}`);
    }
  });
  app.addHook('onRequest', async (request, reply) => {
    const { right } = request.routeOptions.config;
    if (right === undefined) throw noSuchPage();
    if (right === 'public') return;
    // A page that asks for itself again does not keep its session from being idle.
    return admit(request, reply, right, request.headers['x-causeway-refresh'] === undefined);
  });
  // A body may be half a minute in coming: what was withdrawn meanwhile is withdrawn.
  app.addHook('preValidation', async (request, reply) => {
    const { right = 'public' } = request.routeOptions.config;
    if (right === 'public' || request.method !== 'POST') return;
    return admit(request, reply, right, false);
  });

  async function admit(
    request: FastifyRequest,
    reply: FastifyReply,
    right: RouteRight,
    isUse: boolean,
  ) {
    const token = request.cookies[SESSION_COOKIES[surface]];
    const person = token === undefined ? null : await findPerson(token, isUse);
    if (person === null) return reply.redirect(loginUrl(request), 303);
    if (isConfined(person, right)) return reply.redirect('/settings', 303);
    request.person = person;
    judge(surface, right, person.role);
    if (isForChange(request.method, right)) refuseSuspended(person, right);
  }
}

/** All that a person may do who must have a passkey and has none yet. */
const LEADS_TO_PASSKEY: readonly RouteRight[] = ['write-own-passkeys', 'write-own-sessions'];

const lacksPasskey = ({ passkey }: Person): boolean => passkey.isRequired && !passkey.hasOne;

const isOwn = (right: RouteRight): boolean =>
  right === 'any-person' || right.startsWith('write-own-');

/** Whether the person is sent to their settings instead: without the passkey or the confirmation that they need. */
const isConfined = (person: Person, right: RouteRight): boolean =>
  right !== 'public' &&
  ((lacksPasskey(person) && !LEADS_TO_PASSKEY.includes(right)) ||
    (person.kind === 'OPERATOR' && !person.isConfirmed && !isOwn(right)));

const isOpen = (right: RouteRight): boolean => right === 'public' || right === 'any-person';

const rolesOf = (surface: Surface, right: RouteRight): readonly string[] =>
  isOpen(right) ? [] : (rolesWith(surface, right) ?? []);

const isOpenTo = (surface: Surface, right: RouteRight, role: string): boolean =>
  isOpen(right) || rolesOf(surface, right).includes(role);

function judge(surface: Surface, right: RouteRight, role: string): void {
  if (!isOpenTo(surface, right, role)) throw missingRight(rolesOf(surface, right));
}

/** A form that is sent, and the page that has it: what is filled in there would be refused. */
const isForChange = (method: string, right: RouteRight): boolean =>
  !isOpen(right) && (method === 'POST' || !LOOKS.test(right));

/** Rights to see. */
const LOOKS = /^(see|export)-/;

/** A suspended customer's users see everything, and change nothing but what is their own. */
function refuseSuspended(person: Person, right: RouteRight): void {
  if (person.kind === 'USER' && person.customer.isSuspended && !isOwn(right)) {
    throw suspendedCustomer();
  }
}

/** The login, which leads back to a page that was asked for. A form that was sent is not sent again. */
function loginUrl({ method, url }: FastifyRequest): string {
  if (method !== 'GET' || url === '/' || !isLocalPath(url)) return '/login';
  return `/login?next=${encodeURIComponent(url)}`;
}
