import { SUBSCRIPTIONS, isSubscription } from '../../../../domain/webhooks/event-types.ts';
import type { FieldProblem, FormRules } from '../../../kit/forms/form-rules.ts';
import type { FormValues } from '../../../kit/forms/read-form.ts';
import { CheckFields } from '../../../kit/parts/check-fields.tsx';
import { TextField } from '../../../kit/parts/field.tsx';
import { Form } from '../../../kit/parts/form.tsx';

const CONTROL = /\p{Cc}/u;

export const ENDPOINT_RULES = {
  url: { what: 'the URL that events are sent to', lengthMax: 2_048 },
  description: {
    ...{ what: 'a description', lengthMax: 200, isOptional: true },
    check: (text) => (CONTROL.test(text) ? 'Enter a description on one line.' : null),
  },
  types: {
    ...{ what: 'the events to send', lengthMax: 60, isList: true },
    check: (text) => (isSubscription(text) ? null : 'Choose events from the list.'),
  },
  options: {
    ...{ what: 'options', lengthMax: 20, isOptional: true, isList: true },
    check: (text) => (['thin', 'asymmetric'].includes(text) ? null : 'This option does not exist.'),
  },
} as const satisfies FormRules;

export type EndpointValues = FormValues<typeof ENDPOINT_RULES>;

export const NEW_ENDPOINT: EndpointValues = { url: '', description: '', types: ['*'], options: [] };

const OPTIONS = [
  { value: 'thin', text: 'Send only IDs, no data' },
  { value: 'asymmetric', text: 'Also sign with an Ed25519 key pair' },
];

const textOf = (type: string): string => (type === '*' ? 'Everything (*)' : type);

/** The fields of an endpoint, to be created or changed. */
export const EndpointForm = (props: {
  readonly action: string;
  readonly token: string;
  readonly submit: string;
  readonly values: EndpointValues;
  /** Of the endpoint that the page was made of. */
  readonly version?: number;
  readonly problems: readonly FieldProblem[];
}) => {
  const { values, problems } = props;
  return (
    <Form action={props.action} token={props.token} submit={props.submit} problems={problems}>
      {props.version === undefined ? null : (
        <input type="hidden" name="version" value={String(props.version)} />
      )}
      <TextField
        name="url"
        label="URL"
        hint="https, reachable from the internet, without a password. It answers 2xx within 15 seconds."
        value={values.url}
        problems={problems}
        isRequired
      />
      <TextField
        name="description"
        label="Description (optional)"
        value={values.description}
        problems={problems}
      />
      <CheckFields
        name="types"
        legend="Events to send"
        hint="A family such as payment.* includes event types that are added later."
        options={SUBSCRIPTIONS.map((value) => ({ value, text: textOf(value) }))}
        ticked={values.types}
        problems={problems}
      />
      <CheckFields
        name="options"
        legend="Options"
        options={OPTIONS}
        ticked={values.options}
        problems={problems}
      />
    </Form>
  );
};
