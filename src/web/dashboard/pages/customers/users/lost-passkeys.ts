import {
  askForPasskeyRemoval,
  type RemovalAsked,
} from '../../../../../modules/customers/access/ask-for-passkey-removal.ts';
import { readForm } from '../../../../kit/forms/read-form.ts';
import { PageRefusal, unreadableForm } from '../../../../kit/page-refusal.ts';
import { userOf } from '../../../../kit/person.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { findOther, VERSION } from './user-acts.ts';
import { USER_PARAMS } from './detail.tsx';

const FIELDS = { version: VERSION } as const;

const WHY_NOT: Readonly<Record<Exclude<RemovalAsked, 'ASKED'>, string>> = {
  WAITS_ALREADY: 'You already requested it. The request waits for operators.',
  NO_PASSKEY: 'This user has no passkey.',
  NOT_FOR_OWNERS: 'Only operators can remove an owner’s passkeys.',
};

/** POST /users/{id}/lost-passkeys: an owner asks; two operators decide. */
export function registerLostPasskeys(app: WebApp, deps: DashboardDeps): void {
  app.post(
    '/users/:id/lost-passkeys',
    { config: { right: 'write-users', form: FIELDS }, schema: { params: USER_PARAMS } },
    async (request, reply) => {
      const owner = userOf(request);
      const { values, problems } = readForm(FIELDS, sentFormOf(request).texts);
      const { id, name } = await findOther(deps, owner, request.params.id);
      if (problems.length > 0) throw unreadableForm('The form does not match the page.');
      const act = `Request the removal of all passkeys of ${name}`;
      if (!(await proveAct(request, reply, act))) return reply;
      const asked = await deps.db.system(async (tx) => {
        await sentFormOf(request).use(tx);
        const seen = { userId: id, version: Number(values.version) };
        return askForPasskeyRemoval(deps, tx, owner, seen);
      });
      if (asked !== 'ASKED') {
        throw new PageRefusal(
          409,
          'The request was not sent',
          `${WHY_NOT[asked]} Nothing was changed.`,
        );
      }
      return reply.redirect(`/users/${id}`, 303);
    },
  );
}
