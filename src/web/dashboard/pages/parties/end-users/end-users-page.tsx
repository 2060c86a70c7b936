import type { EndUserView } from '../../../../../modules/parties/end-users/end-user-view.ts';
import { KYC_STATUSES } from '../../../../../domain/parties/kyc/kyc-states.ts';
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
import { END_USER_WORDS, KYC_WORDS } from '../../../words/kyc-words.ts';
import { shortId } from '../../../words/mask.ts';
import type { EndUserFilterValues } from './end-user-filters.ts';
import { maskedName, typeWord } from './masked-end-user.ts';

interface EndUsersPageProps {
  readonly path: string;
  readonly values: Omit<EndUserFilterValues, 'cursor'>;
  readonly problems: readonly FieldProblem[];
  readonly times: TimeText;
  readonly apiUrl: string;
  readonly endUsers: readonly EndUserView[];
  readonly pages: { readonly older: string | null; readonly newest: string | null };
}

/** The list of end-users, their names masked. */
export const EndUsersPage = (props: EndUsersPageProps) => {
  const { endUsers, values, problems, pages, path } = props;
  const isFiltered = Object.values(values).some((value) => value !== '');
  const isFirst = !isFiltered && endUsers.length === 0 && pages.newest === null;
  return (
    <>
      <PageHead title="End-users" about="Newest first. Names are masked." />
      <ErrorSummary problems={problems} />
      {isFirst ? (
        <NoEndUsers apiUrl={props.apiUrl} />
      ) : (
        <div class="card card-flush">
          <EndUserFilters {...{ path, values, problems }} />
          {endUsers.length === 0 ? (
            <p class="nothing">
              No end-user fits. <a href={path}>Show all</a>
            </p>
          ) : (
            <EndUserTable {...props} />
          )}
          <Pager {...pages} />
        </div>
      )}
    </>
  );
};

const EndUserTable = ({ path, endUsers, times }: EndUsersPageProps) => (
  <Table
    label="End-users"
    rows={endUsers}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `${path}/${id}`}
    columns={[
      { title: 'End-user', cell: ({ id }) => <code>{shortId(id)}</code> },
      { title: 'Name', cell: maskedName },
      { title: 'KYC', cell: ({ kycStatus }) => <Chip {...KYC_WORDS[kycStatus]} /> },
      { title: 'Status', cell: ({ status }) => <Chip {...END_USER_WORDS[status]} /> },
      { title: 'Type', isMuted: true, cell: typeWord },
      { title: 'External id', isMuted: true, cell: ({ externalId }) => externalId ?? '' },
      {
        title: `Created (${times.zone})`,
        isMuted: true,
        cell: ({ createdAt }) => times.moment(new Date(createdAt)),
      },
    ]}
  />
);

const any = { value: '', text: 'Any' };

const EndUserFilters = ({
  path,
  values,
  problems,
}: Pick<EndUsersPageProps, 'path' | 'values' | 'problems'>) => (
  <Filters action={path}>
    <SelectField
      {...{ name: 'kyc', label: 'KYC', value: values.kyc, problems }}
      options={[any, ...KYC_STATUSES.map((value) => ({ value, text: KYC_WORDS[value].text }))]}
    />
    <SelectField
      {...{ name: 'status', label: 'Status', value: values.status, problems }}
      options={[
        any,
        ...Object.entries(END_USER_WORDS).map(([value, { text }]) => ({ value, text })),
      ]}
    />
    <SelectField
      {...{ name: 'type', label: 'Type', value: values.type, problems }}
      options={[
        any,
        { value: 'INDIVIDUAL', text: 'Person' },
        { value: 'BUSINESS', text: 'Business' },
      ]}
    />
    <TextField
      {...{ name: 'search', label: 'Id or external id', type: 'search' }}
      {...{ value: values.search, problems }}
    />
  </Filters>
);

const NoEndUsers = ({ apiUrl }: { readonly apiUrl: string }) => (
  <EmptyState
    title="No end-user yet"
    action={{ href: `${apiUrl}/docs`, text: 'Read about end-users' }}
    command={
      `curl '${apiUrl}/api/v1/end-users' \\\n` +
      `  -H "Authorization: Bearer $CAUSEWAY_KEY" \\\n` +
      `  -H 'Content-Type: application/json' \\\n` +
      `  -d '{"type":"INDIVIDUAL","individual":{"firstName":"Ada","lastName":"Sample"}}'`
    }
  >
    An end-user is who you pay for: a person or a business, checked once before the first payment.
  </EmptyState>
);
