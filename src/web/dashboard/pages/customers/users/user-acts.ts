import type { FastifyReply, FastifyRequest } from 'fastify';
import { takeInviteBudget } from '../../../../../modules/customers/access/invite-budget.ts';
import {
  changeUserRole,
  disableUser,
  inviteAgain,
  restoreUser,
} from '../../../../../modules/customers/access/users.ts';
import type { ScopedTransaction } from '../../../../../db/client/database.ts';
import { findUser, isLastOwner } from '../../../../../db/customers/user-store.ts';
import type { User } from '../../../../../domain/customers/access/person.ts';
import { readForm } from '../../../../kit/forms/read-form.ts';
import { noSuchPage, PageRefusal, tooMuch, unreadableForm } from '../../../../kit/page-refusal.ts';
import { userOf } from '../../../../kit/person.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { isRole, ROLE_FIELD } from './invite-user.tsx';
import { showUser, type ShownUser } from './shown-user.ts';
import { USER_PARAMS } from './detail.tsx';
import { roleWord } from './user-words.ts';

export const VERSION = {
  what: 'the version',
  lengthMax: 10,
  check: (text: string) => (/^[1-9][0-9]{0,8}$/.test(text) ? null : 'Open the page again.'),
} as const;
const ROLE_FIELDS = { role: ROLE_FIELD, version: VERSION } as const;
const SEEN_FIELDS = { version: VERSION } as const;
/** Routes that mail a link. */
const INVITATIONS = /\/(invite|restore)$/;
const HOUR_S = 3_600;

const lastOwnerStays = () =>
  new PageRefusal(
    409,
    'This is the last owner',
    'Nothing was changed. First make another user an owner.',
  );
const notYourself = () =>
  new PageRefusal(403, 'You cannot do this to yourself', 'Nothing was changed. Ask another owner.');

/** The user that a path names, who is another than who asks. Throws PageRefusal where there is none, or for oneself. */
export async function findOther(
  { db, vault }: Pick<DashboardDeps, 'db' | 'vault'>,
  viewer: User,
  id: string,
): Promise<ShownUser> {
  const customerId = viewer.customer.id;
  const row = await db.read({ customerId, environment: 'test' }, (tx) =>
    findUser(tx, customerId, id),
  );
  if (row === null) throw noSuchPage();
  if (row.id === viewer.id) throw notYourself();
  return showUser(vault, row, viewer);
}

/** POSTs below /users/{id}: role, disable (and withdraw), invite, restore. Each is proven by a second step. */
export function registerUserActs(app: WebApp, deps: DashboardDeps): void {
  const { db } = deps;
  const params = { schema: { params: USER_PARAMS } };

  app.post(
    '/users/:id/role',
    { config: { right: 'write-users', form: ROLE_FIELDS }, ...params },
    async (request, reply) => {
      const { values, problems } = readForm(ROLE_FIELDS, sentFormOf(request).texts);
      const user = await findOther(deps, userOf(request), request.params.id);
      const { role } = values;
      if (problems.length > 0 || !isRole(role))
        throw unreadableForm('The form does not match the page.');
      return act(request, reply, user, `Make ${user.name} ${roleWord(role)}`, (tx) =>
        changeUserRole(deps, tx, { ...byOf(request, user), version: Number(values.version) }, role),
      );
    },
  );

  app.post(
    '/users/:id/disable',
    { config: { right: 'write-users', form: SEEN_FIELDS }, ...params },
    async (request, reply) => {
      const { values, problems } = readForm(SEEN_FIELDS, sentFormOf(request).texts);
      const user = await findOther(deps, userOf(request), request.params.id);
      if (problems.length > 0) throw unreadableForm('The form does not match the page.');
      return act(request, reply, user, `Disable ${user.name}`, async (tx) => {
        await disableUser(deps, tx, { ...byOf(request, user), version: Number(values.version) });
        return null;
      });
    },
  );

  const invites = [
    ['/users/:id/invite', 'again', inviteAgain],
    ['/users/:id/restore', 'again, who is disabled', restoreUser],
  ] as const;
  for (const [path, words, send] of invites) {
    app.post(
      path,
      { config: { right: 'write-users', form: SEEN_FIELDS }, ...params },
      async (request, reply) => {
        const { values, problems } = readForm(SEEN_FIELDS, sentFormOf(request).texts);
        const user = await findOther(deps, userOf(request), request.params.id);
        if (problems.length > 0) throw unreadableForm('The form does not match the page.');
        return act(request, reply, user, `Invite ${user.name} ${words}`, (tx) =>
          send(deps, tx, { ...byOf(request, user), version: Number(values.version) }),
        );
      },
    );
  }

  const byOf = (request: FastifyRequest, { id: userId }: ShownUser) => {
    const { id, customer } = userOf(request);
    return { customer, actor: { kind: 'USER', id }, userId } as const;
  };

  /** Does a proven act in one transaction with its form, and hands its mail on. */
  async function act(
    request: FastifyRequest,
    reply: FastifyReply,
    user: ShownUser,
    words: string,
    work: (tx: ScopedTransaction) => Promise<string | null>,
  ) {
    if (!(await proveAct(request, reply, words))) return;
    const scope = { customerId: user.customerId, environment: 'test' } as const;
    const isInvitation = INVITATIONS.test(request.routeOptions.url ?? '');
    if (isInvitation && !(await takeInviteBudget(deps, db, user))) throw tooMuch(HOUR_S);
    const mailId = await db
      .write(scope, async (tx) => {
        await sentFormOf(request).use(tx);
        return work(tx);
      })
      .catch((error: unknown) => {
        throw isLastOwner(error) ? lastOwnerStays() : error;
      });
    if (mailId !== null) deps.dispatchMail(mailId);
    return reply.redirect(`/users/${user.id}`, 303);
  }
}
