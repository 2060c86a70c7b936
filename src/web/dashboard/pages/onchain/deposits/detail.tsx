import type { ScopedTransaction } from '../../../../../db/client/database.ts';
import { listDepositExits } from '../../../../../db/onchain/deposit-exit-store.ts';
import { readDepositHistory } from '../../../../../db/onchain/deposit-history-store.ts';
import { findDeposit } from '../../../../../db/onchain/deposit-list-store.ts';
import { listResourceDeliveries } from '../../../../../db/webhooks/resource-delivery-store.ts';
import { viewDeposit } from '../../../../../modules/ledger/funding/deposit-view.ts';
import { readSoFar } from '../../../../../modules/onchain/deposits/read-so-far.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import type { Scope } from '../../../../../domain/scope.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { DepositPage } from './deposit-page.tsx';

/** Rows that are shown of each kind. */
const VERSIONS_SHOWN = 50;
const EXITS_SHOWN = 20;

/** GET /{env}/deposits/{id} */
export function registerDeposit(app: WebApp, deps: DashboardDeps): void {
  app.get(
    '/:env/deposits/:depositId',
    { config: { right: 'see-payments' } },
    async (request, reply) => {
      const place = await openPlace(request, reply, { title: 'Deposits', current: '/deposits' });
      if (place === null) return reply;
      const { user, scope, environment } = place;
      const { depositId } = request.params as { readonly depositId: string };
      const found = await deps.db.read(scope, (tx) => readAll(deps, tx, scope, depositId));
      return sendDashboardPage(request, reply, {
        ...{ title: `Deposit ${found.deposit.id}`, environment },
        current: `/${environment}/deposits`,
        body: (
          <DepositPage
            {...{ ...found, environment, apiUrl: deps.apiUrl, times: timeText(user.timeZone) }}
          />
        ),
      });
    },
  );
}

async function readAll(
  { networks }: DashboardDeps,
  tx: ScopedTransaction,
  scope: Scope,
  depositId: string,
) {
  const deposit = requireFound(await findDeposit(tx, scope, depositId));
  const soFar = await readSoFar(tx, scope, networks[scope.environment], [deposit]);
  return {
    deposit,
    confirmations: viewDeposit(deposit, soFar(deposit.network)).confirmations,
    history: await readDepositHistory(tx, scope, deposit.id, VERSIONS_SHOWN),
    exits: await listDepositExits(tx, scope, deposit.id, EXITS_SHOWN),
    deliveries: await listResourceDeliveries(tx, scope, deposit.id),
  };
}
