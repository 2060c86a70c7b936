import { listWallets, WALLET_STATUSES } from '../../../../../db/parties/wallet-store.ts';
import { NETWORKS } from '../../../../../domain/onchain/network.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { registerListPage } from '../../../parts/list-page.tsx';
import { shortId } from '../../../words/mask.ts';
import { WALLET_WORDS, walletAddress } from '../../../words/wallet-words.ts';
import { anyOrOneOf } from '../../../../kit/forms/filter-rules.ts';
import { WALLET_FILTERS, walletFilter } from './wallet-filters.ts';

/** GET /{env}/wallets, their addresses shortened. */
export function registerWallets(app: WebApp, deps: DashboardDeps): void {
  registerListPage(app, deps, {
    ...{ name: 'wallets', title: 'Wallets', right: 'see-payments', filters: WALLET_FILTERS },
    about: 'Newest first. Addresses are shortened.',
    fields: [
      {
        ...{ name: 'status', label: 'Status' },
        options: anyOrOneOf(WALLET_STATUSES, (value) => WALLET_WORDS[value].text),
      },
      { name: 'network', label: 'Network', options: anyOrOneOf(NETWORKS) },
      { name: 'search', label: 'ID, end-user, or whole address', type: 'search' },
    ],
    find: (tx, { scope, values, page }) => listWallets(tx, scope, walletFilter(values), page),
    columns: (times) => [
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
    ],
    noneFits: 'No wallet matches these filters.',
    empty: {
      title: 'No wallet yet',
      about: 'A wallet receives payments in tokens. It belongs to an end-user or to you.',
      docs: 'Read about wallets',
      command: (apiUrl) =>
        `curl '${apiUrl}/api/v1/wallets' \\\n` +
        `  -H "Authorization: Bearer $CAUSEWAY_KEY" \\\n` +
        `  -H 'Content-Type: application/json' \\\n` +
        `  -d '{"endUserId":"eu_...","network":"BASE","address":"0x...","ownership":"SELF_HOSTED"}'`,
    },
  });
}
