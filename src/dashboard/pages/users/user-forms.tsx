import { Card } from '../../../web/parts/card.tsx';
import { SelectField } from '../../../web/parts/field.tsx';
import { Form } from '../../../web/parts/form.tsx';
import { ROLE_OPTIONS } from './invite-user.tsx';
import type { ShownUser } from './shown-user.ts';

interface FormsProps {
  readonly user: ShownUser;
  /** A token for a form that is sent to that path. */
  readonly newForm: (path: string) => string;
}

/** What an owner may do with a user. Nobody changes their own role, or disables themselves. */
export const UserForms = ({ user, newForm }: FormsProps) =>
  user.isSelf ? (
    <p class="muted">
      Another owner changes your role, or disables you. Your own settings are under Settings.
    </p>
  ) : (
    <>
      {user.status === 'DISABLED' ? null : <RoleForm user={user} newForm={newForm} />}
      {user.status === 'ACTIVE' ? null : <InviteForm user={user} newForm={newForm} />}
      {user.status === 'DISABLED' ? null : <DisableForm user={user} newForm={newForm} />}
    </>
  );

const Version = ({ user }: { readonly user: ShownUser }) => (
  <input type="hidden" name="version" value={String(user.version)} />
);

function RoleForm({ user, newForm }: FormsProps) {
  const path = `/users/${user.id}/role`;
  return (
    <Card title="Role">
      <Form action={path} token={newForm(path)} submit="Change the role">
        <Version user={user} />
        <SelectField
          name="role"
          label="Role"
          value={user.role}
          options={ROLE_OPTIONS}
          hint="It holds at once and logs the user out. They are told by mail."
        />
      </Form>
    </Card>
  );
}

function InviteForm({ user, newForm }: FormsProps) {
  const isDisabled = user.status === 'DISABLED';
  const path = `/users/${user.id}/${isDisabled ? 'restore' : 'invite'}`;
  return (
    <Card title="Invitation">
      <p class="muted">
        {isDisabled
          ? 'A new link makes this user active again, in the role of before.'
          : 'A new link ends the last one. It is good for 7 days.'}
      </p>
      <Form
        action={path}
        token={newForm(path)}
        submit={isDisabled ? 'Invite again' : 'Send a new link'}
      >
        <Version user={user} />
      </Form>
    </Card>
  );
}

function DisableForm({ user, newForm }: FormsProps) {
  const path = `/users/${user.id}/disable`;
  const isInvited = user.status === 'INVITED';
  return (
    <Card title={isInvited ? 'Withdraw' : 'Disable'}>
      <p class="muted">
        {isInvited
          ? 'The link is good for nothing any more.'
          : 'Every session of this user ends at once. API keys go on working.'}
      </p>
      <Form
        action={path}
        token={newForm(path)}
        submit={isInvited ? 'Withdraw the invitation' : 'Disable the user'}
        isDangerous
      >
        <Version user={user} />
      </Form>
    </Card>
  );
}
