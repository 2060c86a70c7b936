import { NETWORKS } from '../../../../../domain/onchain/network.ts';
import { DEPOSIT_STATUSES } from '../../../../../domain/onchain/deposits/deposit.ts';
import { stablecoinCodes } from '../../../../../domain/money/currencies.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { registerListPage } from '../../../parts/list-page.tsx';
import { DEPOSIT_WORDS } from '../../../../kit/words/deposit-status.ts';
import { anyOrOneOf } from '../../../../kit/forms/filter-rules.ts';
import { DEPOSIT_FILTERS, findDeposits } from './deposit-filters.ts';
import { depositColumns } from './deposit-table.tsx';

/** GET /{env}/deposits */
export function registerDeposits(app: WebApp, deps: DashboardDeps): void {
  registerListPage(app, deps, {
    ...{ name: 'deposits', title: 'Deposits', right: 'see-payments', filters: DEPOSIT_FILTERS },
    about: 'Tokens that arrived at your addresses, newest first.',
    fields: [
      {
        ...{ name: 'status', label: 'Status' },
        options: anyOrOneOf(DEPOSIT_STATUSES, (value) => DEPOSIT_WORDS[value].text),
      },
      { name: 'network', label: 'Network', options: anyOrOneOf(NETWORKS) },
      { name: 'asset', label: 'Asset', options: anyOrOneOf(stablecoinCodes()) },
      { name: 'from', label: 'From', type: 'date' },
      { name: 'to', label: 'To', type: 'date' },
      { name: 'search', label: 'ID, transaction, or address', type: 'search' },
    ],
    find: findDeposits,
    columns: depositColumns,
    noneFits: 'No deposit matches these filters.',
    empty: {
      title: 'No deposit yet',
      about:
        'Tokens arrive at a deposit address, or at the address of a payment that expects them.',
      docs: 'Read how deposits work',
      command: (apiUrl) =>
        `curl -X POST '${apiUrl}/api/v1/deposit-addresses' \\\n` +
        `  -H "Authorization: Bearer $CAUSEWAY_KEY" \\\n` +
        `  -H "Idempotency-Key: first-address" \\\n` +
        `  -H 'Content-Type: application/json' -d '{}'`,
    },
  });
}
