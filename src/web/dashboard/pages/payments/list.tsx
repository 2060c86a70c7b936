import { PAYMENT_STATUSES } from '../../../../domain/payments/payment-states.ts';
import { linkTo } from '../../../kit/list-pages.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { hasRight } from '../../environment.tsx';
import { registerListPage } from '../../parts/list-page.tsx';
import { STATUS_WORDS } from '../../../kit/words/payment-status.ts';
import { anyOrOneOf } from '../../../kit/forms/filter-rules.ts';
import { findPayments } from './find-payments.ts';
import { PAYMENT_FILTERS } from './payment-filters.ts';
import { paymentColumns } from './payment-table.tsx';

/** GET /{env}/payments */
export function registerPayments(app: WebApp, deps: DashboardDeps): void {
  registerListPage(app, deps, {
    ...{ name: 'payments', title: 'Payments', right: 'see-payments', filters: PAYMENT_FILTERS },
    about: 'Newest first.',
    fields: [
      {
        ...{ name: 'status', label: 'Status' },
        options: anyOrOneOf(PAYMENT_STATUSES, (value) => STATUS_WORDS[value].text),
      },
      { name: 'from', label: 'From', type: 'date' },
      { name: 'to', label: 'To', type: 'date' },
      { name: 'search', label: 'ID, external ID, reference, or key', type: 'search' },
    ],
    find: findPayments,
    columns: paymentColumns,
    aside: ({ user, path, query }) =>
      hasRight(user, 'export-csv') ? (
        <a class="button button-plain" href={linkTo(`${path}.csv`, query)}>
          Export CSV
        </a>
      ) : null,
    noneFits: 'No payment matches these filters.',
    empty: {
      title: 'No payment yet',
      about: 'A payment needs an approved end-user, a bank account, and money in your balance.',
      docs: 'Read how payments work',
      command: (apiUrl) =>
        `curl '${apiUrl}/api/v1/payments' \\\n` +
        `  -H "Authorization: Bearer $CAUSEWAY_KEY" \\\n` +
        `  -H "Idempotency-Key: first-payment" \\\n` +
        `  -H 'Content-Type: application/json' \\\n` +
        `  -d '{"endUserId":"eu_...","bankAccountId":"ba_...","amount":"10.00","currency":"EUR"}'`,
    },
  });
}
