import type { ApiKeyRow } from '../../../../../db/customers/api-key-list-store.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import type { FormValues } from '../../../../kit/forms/read-form.ts';
import { Card } from '../../../../kit/parts/card.tsx';
import { SelectField, TextField } from '../../../../kit/parts/field.tsx';
import { Form } from '../../../../kit/parts/form.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import type { LIMIT_RULES } from './limit-rules.ts';

interface LimitFormProps {
  readonly path: string;
  readonly token: string;
  readonly keys: readonly ApiKeyRow[];
  readonly values: FormValues<typeof LIMIT_RULES>;
  readonly problems: readonly FieldProblem[];
}

/** A limit of all payments or of one key, in one currency. */
export const LimitForm = ({ path, token, keys, values, problems }: LimitFormProps) => (
  <>
    <PageHead
      title="Set a limit"
      trail={{ href: path, text: 'Payment limits', here: 'new' }}
      about="It replaces the limit of the same key and currency. Payments that wait for approval continue to wait."
    />
    <Card title="Limit">
      <Form {...{ action: path, token, problems }} submit="Set the limit">
        <SelectField
          {...{ name: 'key', label: 'Applies to', problems, value: values.key }}
          options={[
            { value: '', text: 'All payments' },
            ...keys.map(({ id, name }) => ({ value: id, text: `Payments of the key ${name}` })),
          ]}
        />
        <TextField
          {...{ name: 'currency', label: 'Currency or asset', problems, value: values.currency }}
          hint="The currency of the balance that pays. All other currencies then wait for approval, unless they have a limit of their own."
        />
        <TextField
          {...{ name: 'perPayment', label: 'Most for one payment', problems }}
          value={values.perPayment}
          inputMode="decimal"
          hint="With fees. Leave it empty for no limit. With 0, each payment waits."
        />
        <TextField
          {...{ name: 'perDay', label: 'Most for one day', problems, value: values.perDay }}
          inputMode="decimal"
          hint="A day in UTC. Leave it empty for no limit."
        />
        <SelectField
          {...{ name: 'beneficiaries', label: 'Beneficiaries', problems }}
          value={values.beneficiaries}
          options={[
            { value: 'any', text: 'Any bank account and wallet' },
            { value: 'allowed', text: 'Allowed beneficiaries only' },
          ]}
        />
        <input type="hidden" name="seen" value={values.seen} />
      </Form>
    </Card>
  </>
);
