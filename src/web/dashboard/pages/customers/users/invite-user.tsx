import { takeInviteBudget } from '../../../../../modules/customers/access/invite-budget.ts';
import { inviteUser, USERS_MAX } from '../../../../../modules/customers/access/users.ts';
import { readEmailAddress } from '../../../../../domain/customers/access/email-address.ts';
import { USER_ROLES, type UserRole } from '../../../../../domain/customers/access/user-rights.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { checkOneLine } from '../../../../kit/forms/one-line.ts';
import { readForm, type FormValues } from '../../../../kit/forms/read-form.ts';
import { tooMuch } from '../../../../kit/page-refusal.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { SelectField, TextField } from '../../../../kit/parts/field.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { userOf } from '../../../../kit/person.ts';
import { sentFormOf } from '../../../../kit/sent-form-of.ts';
import { proveAct } from '../../../../kit/step-up.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { ROLE_TEXTS, roleWord } from './user-words.ts';

const PATH = '/users/invite';
const HOUR_S = 3_600;

export const isRole = (text: string): text is UserRole =>
  (USER_ROLES as readonly string[]).includes(text);
export const ROLE_FIELD = {
  what: 'a role',
  lengthMax: 20,
  check: (text: string) => (isRole(text) ? null : 'Choose one of the roles.'),
} as const;
export const ROLE_OPTIONS = USER_ROLES.map((role) => ({ value: role, text: ROLE_TEXTS[role] }));

const FIELDS = {
  name: { what: 'a name', lengthMax: 100, check: checkOneLine },
  address: {
    what: 'an email address',
    lengthMax: 254,
    check: (text: string) =>
      readEmailAddress(text) === null
        ? 'Enter an email address, for example ada@company.example.'
        : null,
  },
  role: ROLE_FIELD,
} as const;
type Asked = FormValues<typeof FIELDS>;

const REFUSALS = {
  ADDRESS_IS_TAKEN: 'A user of your company has this address. Open that user in the list.',
  TOO_MANY_USERS: `Your company has ${String(USERS_MAX)} users, which is the maximum.`,
} as const;

/** GET and POST /users/invite: a link by mail makes a person a user. */
export function registerInviteUser(app: WebApp, deps: DashboardDeps): void {
  const { db } = deps;
  app.get(PATH, { config: { right: 'write-users' } }, async (request, reply) =>
    sendDashboardPage(request, reply, page(reply.newForm(PATH))),
  );
  app.post(PATH, { config: { right: 'write-users', form: FIELDS } }, async (request, reply) => {
    const form = sentFormOf(request);
    const { values, problems } = readForm(FIELDS, form.texts);
    const refuse = (wrong: readonly FieldProblem[]) =>
      sendDashboardPage(request, reply.code(422), page(reply.newForm(PATH), values, wrong));
    if (problems.length > 0 || !isRole(values.role)) return refuse(problems);
    const { name, role } = values;
    const act = `Invite ${name} (${values.address}) as ${roleWord(role)}`;
    if (!(await proveAct(request, reply, act))) return;
    const { id, customer } = userOf(request);
    const address = readEmailAddress(values.address) ?? '';
    const invited = { customerId: customer.id, address };
    if (!(await takeInviteBudget(deps, db, invited))) throw tooMuch(HOUR_S);
    const scope = { customerId: customer.id, environment: 'test' } as const;
    const outcome = await db.write(scope, async (tx) => {
      const by = { customer, actor: { kind: 'USER', id } } as const;
      await form.use(tx);
      return inviteUser(deps, tx, by, { name, address, role });
    });
    if ('refusal' in outcome) {
      return refuse([{ field: 'address', message: REFUSALS[outcome.refusal] }]);
    }
    deps.dispatchMail(outcome.mailId);
    return reply.redirect('/users', 303);
  });
}

const page = (token: string, asked?: Asked, problems: readonly FieldProblem[] = []) => ({
  ...{ title: 'Invite a user', environment: null, current: '/users' },
  body: (
    <>
      <PageHead
        title="Invite a user"
        about="The user receives a link that expires after 7 days, and can log in after using it."
        trail={{ href: '/users', text: 'Users', here: 'invite' }}
      />
      <Card title="Who">
        <Form action={PATH} token={token} submit="Send the invitation" problems={problems}>
          <TextField name="name" label="Name" value={asked?.name ?? ''} problems={problems} />
          <TextField
            name="address"
            label="Email address"
            type="email"
            value={asked?.address ?? ''}
            problems={problems}
          />
          <SelectField
            name="role"
            label="Role"
            value={asked?.role ?? 'VIEWER'}
            options={ROLE_OPTIONS}
            problems={problems}
          />
        </Form>
      </Card>
    </>
  ),
});
