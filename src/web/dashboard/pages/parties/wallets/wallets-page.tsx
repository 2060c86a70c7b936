import { WALLET_STATUSES, type WalletRow } from '../../../../../db/parties/wallet-store.ts';
import { NETWORKS } from '../../../../../domain/onchain/network.ts';
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
import { WALLET_WORDS, walletAddress } from '../../../words/wallet-words.ts';
import { anyOrOneOf } from '../../filter-rules.ts';
import type { WalletFilterValues } from './wallet-filters.ts';

interface WalletsPageProps {
  readonly path: string;
  readonly values: Omit<WalletFilterValues, 'cursor'>;
  readonly problems: readonly FieldProblem[];
  readonly times: TimeText;
  readonly apiUrl: string;
  readonly wallets: readonly WalletRow[];
  readonly pages: { readonly older: string | null; readonly newest: string | null };
}

/** The list of wallets, their addresses shortened. */
export const WalletsPage = (props: WalletsPageProps) => {
  const { wallets, values, problems, pages, path } = props;
  const isFiltered = Object.values(values).some((value) => value !== '');
  const isFirst = !isFiltered && wallets.length === 0 && pages.newest === null;
  return (
    <>
      <PageHead title="Wallets" about="Newest first. Addresses are shortened." />
      <ErrorSummary problems={problems} />
      {isFirst ? (
        <NoWallets apiUrl={props.apiUrl} />
      ) : (
        <div class="card card-flush">
          <Filters action={path}>
            <SelectField
              {...{ name: 'status', label: 'Status', value: values.status, problems }}
              options={anyOrOneOf(WALLET_STATUSES, (value) => WALLET_WORDS[value].text)}
            />
            <SelectField
              {...{ name: 'network', label: 'Network', value: values.network, problems }}
              options={anyOrOneOf(NETWORKS)}
            />
            <TextField
              {...{ name: 'search', label: 'Id, end-user or whole address', type: 'search' }}
              {...{ value: values.search, problems }}
            />
          </Filters>
          {wallets.length === 0 ? (
            <p class="nothing">
              No wallet fits. <a href={path}>Show all</a>
            </p>
          ) : (
            <WalletTable {...props} />
          )}
          <Pager {...pages} />
        </div>
      )}
    </>
  );
};

const WalletTable = ({ path, wallets, times }: WalletsPageProps) => (
  <Table
    label="Wallets"
    rows={wallets}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `${path}/${id}`}
    columns={[
      { title: 'Wallet', cell: ({ id }) => <code>{shortId(id)}</code> },
      { title: 'Status', cell: ({ status }) => <Chip {...WALLET_WORDS[status]} /> },
      { title: 'Network', cell: ({ network }) => network },
      { title: 'Address', cell: (wallet) => <code>{walletAddress(wallet)}</code> },
      {
        title: 'End-user',
        isMuted: true,
        cell: ({ endUserId }) =>
          endUserId === null ? 'Your own' : <code>{shortId(endUserId)}</code>,
      },
      {
        title: `Created (${times.zone})`,
        isMuted: true,
        cell: ({ createdAt }) => times.moment(createdAt),
      },
    ]}
  />
);

const NoWallets = ({ apiUrl }: { readonly apiUrl: string }) => (
  <EmptyState
    title="No wallet yet"
    action={{ href: `${apiUrl}/docs`, text: 'Read about wallets' }}
    command={
      `curl '${apiUrl}/api/v1/wallets' \\\n` +
      `  -H "Authorization: Bearer $CAUSEWAY_KEY" \\\n` +
      `  -H 'Content-Type: application/json' \\\n` +
      `  -d '{"endUserId":"eu_...","network":"BASE","address":"0x...","ownership":"SELF_HOSTED"}'`
    }
  >
    A wallet is where payments in tokens go: of an end-user, or your own.
  </EmptyState>
);
