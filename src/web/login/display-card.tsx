import { THEMES } from '../../domain/customers/access/person.ts';
import { Card } from '../kit/parts/card.tsx';
import { SelectField } from '../kit/parts/field.tsx';
import { Form } from '../kit/parts/form.tsx';
import { refusedAt, type SettingsProps } from './settings-props.ts';
import { TIME_ZONES } from './time-zones.ts';

const THEME_TEXTS = { auto: 'Same as system', light: 'Light', dark: 'Dark' } as const;

export const DisplayCard = ({ person, reply, refused }: SettingsProps) => {
  const action = '/settings/display';
  const { problems, values } = refusedAt(refused, action);
  return (
    <Card title="Display">
      <Form action={action} token={reply.newForm(action)} submit="Save" problems={problems}>
        <SelectField
          name="timeZone"
          label="Time zone"
          value={values['timeZone'] ?? person.timeZone}
          options={TIME_ZONES.map((zone) => ({ value: zone, text: zone }))}
          problems={problems}
        />
        <SelectField
          name="theme"
          label="Theme"
          value={values['theme'] ?? person.theme}
          options={THEMES.map((theme) => ({ value: theme, text: THEME_TEXTS[theme] }))}
          problems={problems}
        />
      </Form>
    </Card>
  );
};
