import {
  DEPOSIT_ADDRESS_STATUSES,
  listDepositAddresses,
} from '../../../../../db/parties/deposit-address-store.ts';
import { Chip } from '../../../../kit/parts/chip.tsx';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { registerListPage } from '../../../parts/list-page.tsx';
import { shortId } from '../../../words/mask.ts';
import { shortAddress } from '../../../words/short-address.ts';
import { ADDRESS_WORDS } from '../../../words/wallet-words.ts';
import { anyOrOneOf } from '../../../../kit/forms/filter-rules.ts';
import { ADDRESS_FILTERS, addressFilter } from './address-filters.ts';

/** GET /{env}/deposit-addresses */
export function registerDepositAddresses(app: WebApp, deps: DashboardDeps): void {
  registerListPage(app, deps, {
    ...{ name: 'deposit-addresses', title: 'Deposit addresses', right: 'see-payments' },
    about: 'Newest first. A payment’s own address is on the payment’s page.',
    filters: ADDRESS_FILTERS,
    fields: [
      {
        ...{ name: 'status', label: 'Status' },
        options: anyOrOneOf(DEPOSIT_ADDRESS_STATUSES, (value) => ADDRESS_WORDS[value].text),
      },
      { name: 'search', label: 'ID, end-user, or address', type: 'search' },
    ],
    find: (tx, { scope, values, page }) =>
      listDepositAddresses(tx, scope, addressFilter(values), page),
    columns: (times) => [
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
    ],
    noneFits: 'No deposit address matches these filters.',
    empty: {
      title: 'No deposit address yet',
      about:
        'A deposit address accepts tokens until you disable it. What arrives there stays in your ' +
        'balance, or is paid on.',
      docs: 'Read how deposits work',
      command: (apiUrl) =>
        `curl -X POST '${apiUrl}/api/v1/deposit-addresses' \\\n` +
        `  -H "Authorization: Bearer $CAUSEWAY_KEY" \\\n` +
        `  -H "Idempotency-Key: first-address" \\\n` +
        `  -H 'Content-Type: application/json' -d '{}'`,
    },
  });
}
