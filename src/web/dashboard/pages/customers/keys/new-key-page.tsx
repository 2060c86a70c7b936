import { KEY_DAYS_MAX } from '../../../../../domain/customers/keys/key-life.ts';
import { PERMISSIONS } from '../../../../../domain/customers/keys/permissions.ts';
import type { Environment } from '../../../../../domain/scope.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { BoxesField, RadioField } from '../../../../kit/parts/choice-field.tsx';
import { Card } from '../../../../kit/parts/card.tsx';
import { TextField } from '../../../../kit/parts/field.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import type { KeyValues } from './key-rules.ts';

const ACCESS_CHOICES = [
  { value: 'all', text: 'Everything' },
  { value: 'read-only', text: 'Read only' },
  { value: 'picked', text: 'Selected scopes' },
];

/** The form of a new key, as it was filled in where it was sent. */
export const NewKeyPage = (props: {
  readonly path: string;
  readonly token: string;
  readonly environment: Environment;
  readonly values: KeyValues;
  readonly problems: readonly FieldProblem[];
}) => {
  const { path, token, environment, values, problems } = props;
  return (
    <>
      <PageHead title="Create a key" trail={{ href: path, text: 'API keys', here: 'new' }} />
      <Card title={environment === 'live' ? 'A live key' : 'A test key'}>
        <Form action={path} token={token} submit="Create the key" problems={problems}>
          <TextField
            {...{ name: 'name', label: 'Name', value: values.name, problems, isRequired: true }}
            hint="For example the program that uses it. You recognize the key by its name."
          />
          <RadioField
            {...{ name: 'access', label: 'Permissions', value: values.access, problems }}
            choices={ACCESS_CHOICES}
          />
          <BoxesField
            {...{ name: 'scopes', label: 'Scopes', values: values.scopes, problems }}
            hint="Only used with “Selected scopes”. Write does not include read."
            choices={PERMISSIONS.map((one) => ({ value: one, text: one }))}
          />
          <TextField
            {...{ name: 'days', label: 'Days until it expires', value: values.days, problems }}
            inputMode="numeric"
            hint={
              environment === 'live'
                ? `At most ${String(KEY_DAYS_MAX)}. Owners are notified 30, 7, and 1 days before.`
                : 'Leave it empty for a key that does not expire.'
            }
          />
        </Form>
      </Card>
    </>
  );
};
