import type { Person } from '../domain/access/person.ts';
import { Card } from '../web/parts/card.tsx';
import { TextField } from '../web/parts/field.tsx';
import { Form } from '../web/parts/form.tsx';
import { PageHead } from '../web/parts/page-head.tsx';
import { DisplayCard } from './display-card.tsx';
import { PasskeyCard } from './passkey-card.tsx';
import { RuleCard } from './rule-card.tsx';
import { SessionCard } from './session-card.tsx';
import { refusedAt, type SettingsProps } from './settings-props.ts';

/** All that is a person's own. Who must have a passkey first sees only where one is added. */
export const SettingsPage = (props: SettingsProps) => {
  const { person } = props;
  const isLocked = person.passkey.isRequired && !person.passkey.hasOne;
  return (
    <>
      <PageHead title="Settings" about={person.name} />
      {isLocked ? (
        <p class="notice" role="status">
          Your account needs a passkey. Add one to go on; until then nothing else is open to you.
        </p>
      ) : null}
      <PasskeyCard {...props} />
      <SessionCard {...props} />
      {isLocked ? null : (
        <>
          <DisplayCard {...props} />
          <AddressCard {...props} />
          {mayRule(person) ? <RuleCard {...props} /> : null}
        </>
      )}
    </>
  );
};

/** The form of a suspended customer's rule would be refused. */
const mayRule = (person: Person): boolean =>
  person.kind === 'USER' && person.role === 'OWNER' && !person.customer.isSuspended;

const AddressCard = ({ settings, reply, refused }: SettingsProps) => {
  const action = '/settings/address';
  const { problems, values } = refusedAt(refused, action);
  return (
    <Card title="E-mail address">
      <Form
        action={action}
        token={reply.newForm(action)}
        submit="Change the address"
        problems={problems}
      >
        <p>
          Codes go to <b>{settings.address}</b>. A new address holds once its link was used; the old
          one is told, and you are logged out everywhere.
        </p>
        <TextField
          name="address"
          label="New e-mail address"
          type="email"
          autocomplete="email"
          value={values['address'] ?? ''}
          problems={problems}
        />
      </Form>
    </Card>
  );
};
