import type { ApiKeyRow } from '../../../../../db/customers/api-key-list-store.ts';
import { keyState } from '../../../../../domain/customers/keys/key-life.ts';
import type { Environment } from '../../../../../domain/scope.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import { EmptyState } from '../../../../kit/parts/empty-state.tsx';
import { PageHead } from '../../../../kit/parts/page-head.tsx';
import { Pager } from '../../../../kit/parts/pager.tsx';
import { Table } from '../../../../kit/parts/table.tsx';
import type { TimeText } from '../../../../kit/time-text.ts';
import type { ActorNames } from '../../../parts/actor-names.ts';
import { KEY_WORDS, scopesWords } from '../../../words/key-words.ts';

interface KeysPageProps {
  readonly path: string;
  readonly environment: Environment;
  readonly keys: readonly ApiKeyRow[];
  readonly names: ActorNames;
  readonly times: TimeText;
  readonly now: Date;
  readonly apiUrl: string;
  readonly mayWrite: boolean;
  readonly pages: { readonly older: string | null; readonly newest: string | null };
}

/** The keys of one environment, those that ended included. */
export const KeysPage = (props: KeysPageProps) => {
  const { path, keys, pages, mayWrite } = props;
  if (keys.length === 0 && pages.newest === null) return <NoKeys {...props} />;
  return (
    <>
      <PageHead title="API keys" about="Newest first. At most ten keys can be active.">
        {mayWrite ? (
          <a class="button" href={`${path}/new`}>
            Create a key
          </a>
        ) : null}
      </PageHead>
      <div class="card card-flush">
        <KeyTable {...props} />
        <Pager {...pages} />
      </div>
    </>
  );
};

const KeyTable = ({ path, keys, names, times, now }: KeysPageProps) => (
  <Table
    label="API keys"
    rows={keys}
    keyOf={({ id }) => id}
    hrefOf={({ id }) => `${path}/${id}`}
    columns={[
      { title: 'Name', cell: ({ name }) => name },
      { title: 'Ends with', cell: ({ last4 }) => <code>…{last4}</code> },
      {
        title: 'State',
        cell: (key) => <Chip {...KEY_WORDS[keyState(key, now)]} />,
      },
      { title: 'Permissions', cell: ({ scopes }) => scopesWords(scopes) },
      { title: 'Created by', isMuted: true, cell: ({ createdBy }) => names(createdBy) },
      {
        title: 'Last used',
        isMuted: true,
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : times.moment(lastUsedAt)),
      },
      {
        title: 'Expires',
        isMuted: true,
        cell: ({ expiresAt }) => (expiresAt === null ? 'never' : times.moment(expiresAt)),
      },
    ]}
  />
);

const NoKeys = ({ path, mayWrite, apiUrl, environment }: KeysPageProps) => (
  <>
    <PageHead title="API keys" />
    <EmptyState
      title="No key yet"
      {...(mayWrite ? { action: { href: `${path}/new`, text: 'Create a key' } } : {})}
      command={`curl ${apiUrl}/api/v1/balances \\\n  -H "Authorization: Bearer $CAUSEWAY_KEY"`}
    >
      {environment === 'live'
        ? 'With a live key, your program moves real money. A live key works only from IP addresses that two operators have approved.'
        : 'With a key, your program uses the API. No real money moves in the test environment.'}
    </EmptyState>
  </>
);
