import { ActionButton } from '../kit/parts/action-button.tsx';
import { Card } from '../kit/parts/card.tsx';
import { TextField } from '../kit/parts/field.tsx';
import { Form } from '../kit/parts/form.tsx';
import { refusedAt, type SettingsProps } from './settings-props.ts';
import { momentIn } from '../kit/moment-in.ts';

const ACTION = '/settings/address';
export const WITHDRAW = '/settings/address/withdraw';

/** The address that codes go to, and another one that was asked for and waits to be confirmed. */
export const AddressCard = (props: SettingsProps) => {
  const { settings, reply, refused } = props;
  const { problems, values } = refusedAt(refused, ACTION);
  return (
    <Card title="Email address">
      <Waiting {...props} />
      <Form
        action={ACTION}
        token={reply.newForm(ACTION)}
        submit="Change the address"
        problems={problems}
      >
        <p>
          Codes go to <b>{settings.address}</b>. A new address takes effect when you use the link
          that we send to it. We notify the old address, and you are logged out everywhere.
        </p>
        <TextField
          name="address"
          label="New email address"
          type="email"
          autocomplete="email"
          value={values['address'] ?? ''}
          problems={problems}
        />
      </Form>
    </Card>
  );
};

const Waiting = ({ settings: { waiting }, person, reply }: SettingsProps) =>
  waiting === null ? null : (
    <>
      <p class="notice" role="status">
        You have asked for <b>{waiting.address}</b>. It holds once the link that was mailed there is
        used, until {momentIn(waiting.endsAt, person.timeZone)}. Asking for another one takes its
        place.
      </p>
      <ActionButton action={WITHDRAW} token={reply.newForm(WITHDRAW)} text="Withdraw the change" />
    </>
  );
