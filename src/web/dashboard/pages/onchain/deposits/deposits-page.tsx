import type { DepositRow } from '../../../../../db/onchain/deposit-store.ts';
import { NETWORKS } from '../../../../../domain/onchain/network.ts';
import { DEPOSIT_STATUSES } from '../../../../../domain/onchain/deposits/deposit.ts';
import { stablecoinCodes } from '../../../../../domain/money/currencies.ts';
import type { FieldProblem } from '../../../../kit/forms/form-rules.ts';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { ErrorSummary } from '../../../../kit/parts/error-summary.tsx';
import { SelectField, TextField } from '../../../../kit/parts/field.tsx';
import { Filters } from '../../../../kit/parts/filters.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Pager } from '../../../../kit/parts/pager.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import { DEPOSIT_WORDS } from '../../../words/deposit-words.ts';
import { anyOrOneOf } from '../../filter-rules.ts';
import type { DepositFilterValues } from './deposit-filters.ts';
import { DepositTable } from './deposit-table.tsx';

interface DepositsPageProps {
  readonly path: string;
  readonly values: Omit<DepositFilterValues, 'cursor'>;
  readonly problems: readonly FieldProblem[];
  readonly times: TimeText;
  readonly apiUrl: string;
  readonly deposits: readonly DepositRow[];
  readonly pages: { readonly older: string | null; readonly newest: string | null };
}

/** The list of deposits, its filters above it. */
export const DepositsPage = (props: DepositsPageProps) => {
  const { deposits, values, problems, pages, path, times } = props;
  const isFiltered = Object.values(values).some((value) => value !== '');
  const isFirst = !isFiltered && deposits.length === 0 && pages.newest === null;
  return (
    <>
      <PageHead title="Deposits" about="Tokens that came to an address of yours, newest first." />
      <ErrorSummary problems={problems} />
      {isFirst ? (
        <NoDeposits apiUrl={props.apiUrl} />
      ) : (
        <div class="card card-flush">
          <DepositFilters {...{ path, values, problems }} />
          {deposits.length === 0 ? (
            <p class="nothing">
              No deposit fits. <a href={path}>Show all</a>
            </p>
          ) : (
            <DepositTable {...{ path, deposits, times }} />
          )}
          <Pager {...pages} />
        </div>
      )}
    </>
  );
};

const DepositFilters = ({
  path,
  values,
  problems,
}: Pick<DepositsPageProps, 'path' | 'values' | 'problems'>) => (
  <Filters action={path}>
    <SelectField
      {...{ name: 'status', label: 'Status', value: values.status, problems }}
      options={anyOrOneOf(DEPOSIT_STATUSES, (value) => DEPOSIT_WORDS[value].text)}
    />
    <SelectField
      {...{ name: 'network', label: 'Network', value: values.network, problems }}
      options={anyOrOneOf(NETWORKS)}
    />
    <SelectField
      {...{ name: 'asset', label: 'Asset', value: values.asset, problems }}
      options={anyOrOneOf(stablecoinCodes())}
    />
    <TextField {...{ name: 'from', label: 'From', type: 'date', value: values.from, problems }} />
    <TextField {...{ name: 'to', label: 'To', type: 'date', value: values.to, problems }} />
    <TextField
      {...{ name: 'search', label: 'Id, transaction or address', type: 'search' }}
      {...{ value: values.search, problems }}
    />
  </Filters>
);

const NoDeposits = ({ apiUrl }: { readonly apiUrl: string }) => (
  <EmptyState
    title="No deposit yet"
    action={{ href: `${apiUrl}/docs`, text: 'Read how deposits work' }}
    command={
      `curl -X POST '${apiUrl}/api/v1/deposit-addresses' \\\n` +
      `  -H "Authorization: Bearer $CAUSEWAY_KEY" \\\n` +
      `  -H "Idempotency-Key: first-address" \\\n` +
      `  -H 'Content-Type: application/json' -d '{}'`
    }
  >
    Tokens come to a deposit address, or to the address of a payment that waits for them.
  </EmptyState>
);
