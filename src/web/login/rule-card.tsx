import { Card } from '../kit/parts/card.tsx';
import { Form } from '../kit/parts/form.tsx';
import type { SettingsProps } from './settings-props.ts';

/** An owner may ask a passkey of all who log in for the customer. */
export const RuleCard = ({ person, reply }: SettingsProps) => {
  const action = '/settings/require-passkeys';
  const { isRequired } = person.passkey;
  return (
    <Card title="Passkeys of your company">
      <Form
        action={action}
        token={reply.newForm(action)}
        submit={isRequired ? 'Do not require passkeys' : 'Require passkeys'}
      >
        <p>
          {isRequired
            ? 'Every user of your company must have a passkey.'
            : 'Users of your company can log in with only a code. If you require passkeys, users without one have to add one at the next login.'}
        </p>
        <input type="hidden" name="required" value={isRequired ? 'no' : 'yes'} />
      </Form>
    </Card>
  );
};
