import { railOf } from '../../../../domain/payments/payment-destination.ts';
import type { PaymentRow } from '../../../../db/payments/payment-store.ts';
import { formatAmount } from '../../../../domain/money/amount.ts';
import { PAYMENT_STATUSES } from '../../../../domain/payments/payment-states.ts';
import type { FieldProblem } from '../../../kit/forms/form-rules.ts';
import { Chip } from '../../../kit/parts/chip.tsx';
import { EmptyState } from '../../../kit/parts/empty-state.tsx';
import { ErrorSummary } from '../../../kit/parts/error-summary.tsx';
import { SelectField, TextField } from '../../../kit/parts/field.tsx';
import { Filters } from '../../../kit/parts/filters.tsx';
import { Money } from '../../../kit/parts/money.tsx';
import { PageHead } from '../../../kit/parts/page-head.tsx';
import { Pager } from '../../../kit/parts/pager.tsx';
import { Table } from '../../../kit/parts/table.tsx';
import type { TimeText } from '../../../kit/time-text.ts';
import { shortId } from '../../words/mask.ts';
import { STATUS_WORDS } from '../../words/payment-words.ts';
import type { PaymentFilterValues } from './payment-filters.ts';

interface PaymentsPageProps {
  readonly path: string;
  readonly values: Omit<PaymentFilterValues, 'cursor'>;
  readonly problems: readonly FieldProblem[];
  readonly times: TimeText;
  readonly apiUrl: string;
  /** Null where the reader may not export. */
  readonly exportHref: string | null;
  readonly payments: readonly PaymentRow[];
  readonly pages: { readonly older: string | null; readonly newest: string | null };
}

/** The list of payments, its filters above it. */
export const PaymentsPage = (props: PaymentsPageProps) => {
  const { payments, values, problems, pages } = props;
  const isFiltered = Object.values(values).some((value) => value !== '');
  const isFirst = !isFiltered && payments.length === 0 && pages.newest === null;
  return (
    <>
      <PageHead title="Payments" about="Newest first.">
        {props.exportHref === null || payments.length === 0 ? null : (
          <a class="button button-plain" href={props.exportHref}>
            Export CSV
          </a>
        )}
      </PageHead>
      <ErrorSummary problems={problems} />
      {isFirst ? (
        <NoPayments apiUrl={props.apiUrl} />
      ) : (
        <div class="card card-flush">
          <PaymentFilters path={props.path} values={values} problems={problems} />
          {payments.length === 0 ? (
            <p class="nothing">
              No payment fits. <a href={props.path}>Show all</a>
            </p>
          ) : (
            <PaymentTable {...props} />
          )}
          <Pager {...pages} />
        </div>
      )}
    </>
  );
};

export const PaymentTable = (props: {
  readonly path: string;
  readonly payments: readonly PaymentRow[];
  readonly times: TimeText;
}) => (
  <Table
    label="Payments"
    rows={props.payments}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `${props.path}/${id}`}
    columns={[
      { title: 'Payment', cell: ({ id }) => <code>{shortId(id)}</code> },
      { title: 'Status', cell: ({ status }) => <Chip {...STATUS_WORDS[status]} /> },
      {
        title: 'Amount',
        isNumber: true,
        cell: ({ amount, unit }) => <Money amount={formatAmount(amount, unit)} currency={unit} />,
      },
      { title: 'Rail', cell: ({ destination }) => railOf(destination) },
      { title: 'External id', isMuted: true, cell: ({ externalId }) => shorten(externalId) },
      {
        title: `Created (${props.times.zone})`,
        isMuted: true,
        cell: ({ createdAt }) => props.times.moment(createdAt),
      },
    ]}
  />
);

const EXTERNAL_ID_SHOWN = 32;

function shorten(text: string | null): string {
  const letters = Array.from(text ?? '');
  if (letters.length <= EXTERNAL_ID_SHOWN) return text ?? '';
  return `${letters.slice(0, EXTERNAL_ID_SHOWN - 1).join('')}…`;
}

const PaymentFilters = ({
  path,
  values,
  problems,
}: Pick<PaymentsPageProps, 'path' | 'values' | 'problems'>) => (
  <Filters action={path}>
    <SelectField
      {...{ name: 'status', label: 'Status', value: values.status, problems }}
      options={[
        { value: '', text: 'Any' },
        ...PAYMENT_STATUSES.map((value) => ({ value, text: STATUS_WORDS[value].text })),
      ]}
    />
    <TextField {...{ name: 'from', label: 'From', type: 'date', value: values.from, problems }} />
    <TextField {...{ name: 'to', label: 'To', type: 'date', value: values.to, problems }} />
    <TextField
      {...{ name: 'search', label: 'Id, external id, reference or key', type: 'search' }}
      {...{ value: values.search, problems }}
    />
  </Filters>
);

const NoPayments = ({ apiUrl }: { readonly apiUrl: string }) => (
  <EmptyState
    title="No payment yet"
    action={{ href: `${apiUrl}/docs`, text: 'Read how payments work' }}
    command={
      `curl '${apiUrl}/api/v1/payments' \\\n` +
      `  -H "Authorization: Bearer $CAUSEWAY_KEY" \\\n` +
      `  -H "Idempotency-Key: first-payment" \\\n` +
      `  -H 'Content-Type: application/json' \\\n` +
      `  -d '{"endUserId":"eu_...","bankAccountId":"ba_...","amount":"10.00","currency":"EUR"}'`
    }
  >
    A payment needs an end-user who is approved, a bank account of theirs, and money in a balance.
  </EmptyState>
);
