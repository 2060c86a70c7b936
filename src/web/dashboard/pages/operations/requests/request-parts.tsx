import type { ApiRequestRow, LoggedKey } from '../../../../../db/customers/api-request-store.ts';
import type { Environment } from '../../../../../domain/scope.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import type { FormValues } from '../../../../kit/forms/read-form.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { SelectField, TextField } from '../../../../kit/parts/field.tsx';
import { Filters } from '../../../../kit/parts/filters.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import { toneOfStatus } from '../../../words/request-words.ts';
import { METHODS, STATUS_CLASSES, type REQUEST_FILTERS } from './request-filters.ts';

const nameOf = ({ name, last4 }: LoggedKey): string => `${name} (…${last4})`;

export const RequestFilters = (props: {
  readonly action: string;
  readonly values: FormValues<typeof REQUEST_FILTERS>;
  readonly keys: readonly LoggedKey[];
  readonly problems: readonly FieldProblem[];
}) => {
  const { values, problems } = props;
  const any = { value: '', text: 'Any' };
  return (
    <Filters action={props.action}>
      <SelectField
        name="key"
        label="Key"
        value={values.key}
        problems={problems}
        options={[any, ...props.keys.map((key) => ({ value: key.id, text: nameOf(key) }))]}
      />
      <SelectField
        name="status"
        label="Status"
        value={values.status}
        problems={problems}
        options={[
          any,
          ...STATUS_CLASSES.map((value) => ({ value, text: `${value}00 to ${value}99` })),
        ]}
      />
      <SelectField
        name="method"
        label="Method"
        value={values.method}
        problems={problems}
        options={[any, ...METHODS.map((value) => ({ value, text: value }))]}
      />
      <TextField name="route" label="Route contains" value={values.route} problems={problems} />
      <TextField name="payment" label="Payment" value={values.payment} problems={problems} />
      <TextField name="request" label="Request ID" value={values.request} problems={problems} />
    </Filters>
  );
};

export const RequestTable = (props: {
  readonly rows: readonly ApiRequestRow[];
  readonly keys: readonly LoggedKey[];
  readonly environment: Environment;
  readonly times: TimeText;
}) => {
  const { environment, times } = props;
  const names = new Map(props.keys.map((key) => [key.id, nameOf(key)]));
  return (
    <Table
      label="Requests"
      rows={props.rows}
      keyOf={({ requestId }) => requestId}
      columns={[
        { title: `Time (${times.zone})`, cell: ({ at }: ApiRequestRow) => times.moment(at) },
        {
          title: 'Status',
          cell: ({ status }) => <Chip tone={toneOfStatus(status)} text={String(status)} />,
        },
        {
          title: 'Request',
          cell: ({ method, route }) => <code>{`${method} ${route}`}</code>,
        },
        { title: 'Error', isMuted: true, cell: ({ errorCode }) => errorCode ?? '' },
        { title: 'ms', isNumber: true, cell: ({ durationMs }) => String(durationMs) },
        { title: 'From', isMuted: true, cell: ({ address }) => address ?? 'unknown' },
        {
          title: 'Key',
          cell: ({ apiKeyId }) => (
            <a href={`/${environment}/keys/${apiKeyId}`}>{names.get(apiKeyId) ?? apiKeyId}</a>
          ),
        },
        {
          title: 'Payment',
          cell: ({ paymentId }) =>
            paymentId === null ? (
              ''
            ) : (
              <a href={`/${environment}/payments/${paymentId}`}>
                <code>{paymentId}</code>
              </a>
            ),
        },
        { title: 'Request ID', isMuted: true, cell: ({ requestId }) => <code>{requestId}</code> },
      ]}
    />
  );
};
