import { Card } from '../../../../kit/parts/card.tsx';
import { SelectField } from '../../../../kit/parts/field.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { ROLE_OPTIONS } from './invite-user.tsx';
import type { ShownUser } from './shown-user.ts';

/** NONE: the user has no passkey. ASKED: their removal waits for operators. */
export type LostPasskeys = 'NONE' | 'SOME' | 'ASKED';

interface FormsProps {
  readonly user: ShownUser;
  /** A token for a form that is sent to that path. */
  readonly newForm: (path: string) => string;
}

/** What an owner may do with a user. No user changes their own role, or disables themselves. */
export const UserForms = ({
  user,
  newForm,
  passkeys,
}: FormsProps & { readonly passkeys: LostPasskeys }) =>
  user.isSelf ? (
    <p class="muted">
      Another owner changes your role, or disables you. Your own settings are under Settings.
    </p>
  ) : (
    <>
      {user.status === 'DISABLED' ? null : <RoleForm user={user} newForm={newForm} />}
      {user.status === 'ACTIVE' ? null : <InviteForm user={user} newForm={newForm} />}
      {user.status === 'ACTIVE' && user.role !== 'OWNER' && passkeys !== 'NONE' ? (
        <LostPasskeysForm user={user} newForm={newForm} isAsked={passkeys === 'ASKED'} />
      ) : null}
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
          hint="The new role takes effect at once. The user is logged out and notified by email."
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
          ? 'A new link activates the user again with the same role.'
          : 'A new link replaces the old one. It expires after 7 days.'}
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

function LostPasskeysForm({ user, newForm, isAsked }: FormsProps & { readonly isAsked: boolean }) {
  const path = `/users/${user.id}/lost-passkeys`;
  return (
    <Card title="Lost passkeys">
      {isAsked ? (
        <p role="status">
          You requested the removal. Two operators decide it, and call your company first.
        </p>
      ) : (
        <>
          <p class="muted">
            Use this for a user who lost every passkey. Two operators verify the request. Then all
            passkeys are removed, every session ends, and the user adds a new passkey at the next
            login.
          </p>
          <Form action={path} token={newForm(path)} submit="Request removal">
            <Version user={user} />
          </Form>
        </>
      )}
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
          ? 'The link stops working.'
          : 'Every session of this user ends at once. API keys keep working.'}
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
