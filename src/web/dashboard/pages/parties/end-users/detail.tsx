import { viewBankAccount } from '../../../../../modules/parties/bank-accounts/bank-account-view.ts';
import { listBankAccounts } from '../../../../../db/parties/bank-account-store.ts';
import type { ScopedTransaction } from '../../../../../db/client/database.ts';
import { findEndUser } from '../../../../../db/parties/end-user-store.ts';
import { listKycRounds } from '../../../../../db/parties/kyc-round-store.ts';
import { listPayments } from '../../../../../db/payments/payment-list-store.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import type { Scope } from '../../../../../domain/scope.ts';
import { viewEndUser } from '../../../../../modules/parties/end-users/end-user-view.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { may, openPlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { EndUserPage } from './end-user-page.tsx';

/** Rows that are shown of each kind. */
const ROUNDS_SHOWN = 20;
const ACCOUNTS_SHOWN = 20;
const PAYMENTS_SHOWN = 5;

/** GET /{env}/end-users/{id} */
export function registerEndUser(app: WebApp, deps: DashboardDeps): void {
  app.get(
    '/:env/end-users/:endUserId',
    { config: { right: 'see-end-users' } },
    async (request, reply) => {
      const place = await openPlace(request, reply, { title: 'End-users', current: '/end-users' });
      if (place === null) return reply;
      const { user, scope, environment } = place;
      const { endUserId } = request.params as { readonly endUserId: string };
      const found = await deps.db.list(scope, (tx) => readAll(deps, tx, scope, endUserId));
      const current = `/${environment}/end-users`;
      const action = `${current}/${found.endUser.id}/unmask`;
      const unmask = { action, token: reply.newForm(action) };
      return sendDashboardPage(request, reply, {
        ...{ title: `End-user ${found.endUser.id}`, environment, current },
        body: (
          <EndUserPage
            {...{ ...found, environment, apiUrl: deps.apiUrl, times: timeText(user.timeZone) }}
            unmask={may(user, 'unmask-personal-data') ? unmask : null}
          />
        ),
      });
    },
  );
}

async function readAll(
  { vault }: DashboardDeps,
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
) {
  const row = requireFound(await findEndUser(tx, scope, endUserId));
  const of = { endUserId: row.id };
  const newest = (limit: number) => ({ limit, before: null });
  const rounds = await listKycRounds(tx, scope, row.id, ROUNDS_SHOWN);
  const accounts = await listBankAccounts(tx, scope, of, newest(ACCOUNTS_SHOWN));
  const payments = await listPayments(tx, scope, of, newest(PAYMENTS_SHOWN));
  return {
    endUser: viewEndUser(row, vault),
    rounds,
    accounts: accounts.items.map((account) => viewBankAccount(account, vault)),
    payments: payments.items,
  };
}
