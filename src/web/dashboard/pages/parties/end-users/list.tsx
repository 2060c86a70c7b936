import { listEndUsers } from '../../../../../db/parties/end-user-list-store.ts';
import { KYC_STATUSES } from '../../../../../domain/parties/kyc/kyc-states.ts';
import { viewEndUser } from '../../../../../modules/parties/end-users/end-user-view.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { registerListPage } from '../../../parts/list-page.tsx';
import { END_USER_WORDS, KYC_WORDS } from '../../../words/kyc-words.ts';
import { shortId } from '../../../words/mask.ts';
import { anyOrOneOf } from '../../../../kit/forms/filter-rules.ts';
import { END_USER_FILTERS, endUserFilter } from './end-user-filters.ts';
import { maskedName, typeWord } from './masked-end-user.ts';

/** GET /{env}/end-users, their names masked. */
export function registerEndUsers(app: WebApp, deps: DashboardDeps): void {
  registerListPage(app, deps, {
    ...{ name: 'end-users', title: 'End-users', right: 'see-end-users' },
    about: 'Newest first. Names are masked.',
    filters: END_USER_FILTERS,
    fields: [
      {
        ...{ name: 'kyc', label: 'KYC' },
        options: anyOrOneOf(KYC_STATUSES, (value) => KYC_WORDS[value].text),
      },
      {
        ...{ name: 'status', label: 'Status' },
        options: [
          { value: '', text: 'Any' },
          ...Object.entries(END_USER_WORDS).map(([value, { text }]) => ({ value, text })),
        ],
      },
      {
        ...{ name: 'type', label: 'Type' },
        options: anyOrOneOf(['INDIVIDUAL', 'BUSINESS'], (value) =>
          value === 'INDIVIDUAL' ? 'Person' : 'Business',
        ),
      },
      { name: 'search', label: 'ID or external ID', type: 'search' },
    ],
    find: async (tx, { scope, values, page }) => {
      const { items, next } = await listEndUsers(tx, scope, endUserFilter(values), page);
      return { items: items.map((row) => viewEndUser(row, deps.vault)), next };
    },
    columns: (times) => [
      { title: 'End-user', cell: ({ id }) => <code>{shortId(id)}</code> },
      { title: 'Name', cell: maskedName },
      { title: 'KYC', cell: ({ kycStatus }) => <Chip {...KYC_WORDS[kycStatus]} /> },
      { title: 'Status', cell: ({ status }) => <Chip {...END_USER_WORDS[status]} /> },
      { title: 'Type', isMuted: true, cell: typeWord },
      { title: 'External ID', isMuted: true, cell: ({ externalId }) => externalId ?? '' },
      {
        title: `Created (${times.zone})`,
        isMuted: true,
        cell: ({ createdAt }) => times.moment(new Date(createdAt)),
      },
    ],
    noneFits: 'No end-user matches these filters.',
    empty: {
      title: 'No end-user yet',
      about:
        'An end-user is the person or business that you pay for. Each one is checked before the first payment.',
      docs: 'Read about end-users',
      command: (apiUrl) =>
        `curl '${apiUrl}/api/v1/end-users' \\\n` +
        `  -H "Authorization: Bearer $CAUSEWAY_KEY" \\\n` +
        `  -H 'Content-Type: application/json' \\\n` +
        `  -d '{"type":"INDIVIDUAL","individual":{"firstName":"Ada","lastName":"Sample"}}'`,
    },
  });
}
