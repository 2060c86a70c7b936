import type { PasskeyRow } from '../../db/customers/passkey-store.ts';
import { ActionButton } from '../kit/parts/action-button.tsx';
import { Card } from '../kit/parts/card.tsx';
import { Form } from '../kit/parts/form.tsx';
import { PasskeyButton } from '../kit/parts/passkey-button.tsx';
import { Table } from '../kit/parts/table.tsx';
import { refusedAt, type SettingsProps } from './settings-props.ts';
import { momentIn } from '../kit/moment-in.ts';

/** The field that the token of a passkey's making is sent in, beside the form's own. */
export const CREATION_FIELD = 'creation';
export const ADD_PASSKEY = '/settings/passkeys';

const removePath = ({ id }: PasskeyRow): string => `/settings/passkeys/${id}/remove`;

/** Passkeys: shown after the code at each login, and in the place of a code that confirms an act. */
export const PasskeyCard = ({ person, settings, reply, creation, refused }: SettingsProps) => {
  const { problems } = refusedAt(refused, ADD_PASSKEY);
  const when = (at: Date | null): string => (at === null ? 'never' : momentIn(at, person.timeZone));
  return (
    <Card title="Passkeys" isFlush>
      {settings.passkeys.length === 0 ? null : (
        <Table
          label="Your passkeys"
          rows={settings.passkeys}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Added with', cell: ({ browser }) => browser },
            { title: 'Added', cell: ({ createdAt }) => when(createdAt), isMuted: true },
            { title: 'Last used', cell: ({ lastUsedAt }) => when(lastUsedAt), isMuted: true },
            {
              title: 'Remove',
              cell: (passkey) => (
                <ActionButton
                  action={removePath(passkey)}
                  token={reply.newForm(removePath(passkey))}
                  text="Remove"
                  label={`Remove the passkey of ${when(passkey.createdAt)}`}
                />
              ),
            },
          ]}
        />
      )}
      <div class="card-body" id="passkey">
        <Form action={ADD_PASSKEY} token={reply.newForm(ADD_PASSKEY)} problems={problems}>
          <p class="muted">
            With a passkey, you log in with the code and this device. Add a passkey on each device
            that you use.
          </p>
          <input type="hidden" name={CREATION_FIELD} value={creation.token} />
          <PasskeyButton
            kind="create"
            options={creation.options}
            field="passkey"
            text="Add a passkey"
            without="Passkeys need JavaScript and a browser that supports them."
          />
        </Form>
      </div>
    </Card>
  );
};
