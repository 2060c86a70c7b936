import {
  DEPOSIT_ADDRESS_STATUSES,
  type DepositAddressRow,
} from '../../../../../db/parties/deposit-address-store.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { ErrorSummary } from '../../../../kit/parts/error-summary.tsx';
import { SelectField, TextField } from '../../../../kit/parts/field.tsx';
import { Filters } from '../../../../kit/parts/filters.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Pager } from '../../../../kit/parts/pager.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import { shortId } from '../../../words/mask.ts';
import { shortAddress } from '../../../words/short-address.ts';
import { ADDRESS_WORDS } from '../../../words/wallet-words.ts';
import { anyOrOneOf } from '../../filter-rules.ts';
import type { AddressFilterValues } from './address-filters.ts';

interface AddressesPageProps {
  readonly path: string;
  readonly values: Omit<AddressFilterValues, 'cursor'>;
  readonly problems: readonly FieldProblem[];
  readonly times: TimeText;
  readonly apiUrl: string;
  readonly addresses: readonly DepositAddressRow[];
  readonly pages: { readonly older: string | null; readonly newest: string | null };
}

/** The list of deposit addresses, its filters above it. */
export const AddressesPage = (props: AddressesPageProps) => {
  const { addresses, values, problems, pages, path } = props;
  const isFiltered = Object.values(values).some((value) => value !== '');
  const isFirst = !isFiltered && addresses.length === 0 && pages.newest === null;
  return (
    <>
      <PageHead
        title="Deposit addresses"
        about="Newest first. The address of a payment is on the payment’s page."
      />
      <ErrorSummary problems={problems} />
      {isFirst ? (
        <NoAddresses apiUrl={props.apiUrl} />
      ) : (
        <div class="card card-flush">
          <Filters action={path}>
            <SelectField
              {...{ name: 'status', label: 'Status', value: values.status, problems }}
              options={anyOrOneOf(DEPOSIT_ADDRESS_STATUSES, (value) => ADDRESS_WORDS[value].text)}
            />
            <TextField
              {...{ name: 'search', label: 'Id, end-user or address', type: 'search' }}
              {...{ value: values.search, problems }}
            />
          </Filters>
          {addresses.length === 0 ? (
            <p class="nothing">
              No deposit address fits. <a href={path}>Show all</a>
            </p>
          ) : (
            <AddressTable {...props} />
          )}
          <Pager {...pages} />
        </div>
      )}
    </>
  );
};

const AddressTable = ({ path, addresses, times }: AddressesPageProps) => (
  <Table
    label="Deposit addresses"
    rows={addresses}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `${path}/${id}`}
    columns={[
      { title: 'Address', cell: ({ address }) => <code>{shortAddress(address)}</code> },
      { title: 'Status', cell: ({ status }) => <Chip {...ADDRESS_WORDS[status]} /> },
      {
        title: 'End-user',
        isMuted: true,
        cell: ({ endUserId }) =>
          endUserId === null ? 'Your own' : <code>{shortId(endUserId)}</code>,
      },
      {
        title: 'Paid on to',
        isMuted: true,
        cell: ({ bankAccountId, walletId }) =>
          bankAccountId === null && walletId === null ? (
            'Your balance'
          ) : (
            <code>{shortId(bankAccountId ?? walletId ?? '')}</code>
          ),
      },
      {
        title: `Created (${times.zone})`,
        isMuted: true,
        cell: ({ createdAt }) => times.moment(createdAt),
      },
    ]}
  />
);

const NoAddresses = ({ apiUrl }: { readonly apiUrl: string }) => (
  <EmptyState
    title="No deposit address yet"
    action={{ href: `${apiUrl}/docs`, text: 'Read how deposits work' }}
    command={
      `curl -X POST '${apiUrl}/api/v1/deposit-addresses' \\\n` +
      `  -H "Authorization: Bearer $CAUSEWAY_KEY" \\\n` +
      `  -H "Idempotency-Key: first-address" \\\n` +
      `  -H 'Content-Type: application/json' -d '{}'`
    }
  >
    A deposit address takes tokens for as long as you leave it. What comes to it stays in your
    balance, or is paid on.
  </EmptyState>
);
