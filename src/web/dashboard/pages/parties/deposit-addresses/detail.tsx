import type { ScopedTransaction } from '../../../../../db/client/database.ts';
import { findDepositAddress } from '../../../../../db/parties/deposit-address-store.ts';
import { listDeposits } from '../../../../../db/onchain/deposit-list-store.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import type { Scope } from '../../../../../domain/scope.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { AddressPage } from './address-page.tsx';

const DEPOSITS_SHOWN = 10;

/** GET /{env}/deposit-addresses/{id} */
export function registerDepositAddress(app: WebApp, deps: DashboardDeps): void {
  app.get(
    '/:env/deposit-addresses/:depositAddressId',
    { config: { right: 'see-payments' } },
    async (request, reply) => {
      const of = { title: 'Deposit addresses', current: '/deposit-addresses' };
      const place = await openPlace(request, reply, of);
      if (place === null) return reply;
      const { user, scope, environment } = place;
      const { depositAddressId } = request.params as { readonly depositAddressId: string };
      const found = await deps.db.list(scope, (tx) => readAll(tx, scope, depositAddressId));
      return sendDashboardPage(request, reply, {
        ...{ title: `Deposit address ${found.address.id}`, environment },
        current: `/${environment}/deposit-addresses`,
        body: (
          <AddressPage
            {...{ ...found, environment, apiUrl: deps.apiUrl, times: timeText(user.timeZone) }}
            networks={deps.networks[environment]}
          />
        ),
      });
    },
  );
}

async function readAll(tx: ScopedTransaction, scope: Scope, id: string) {
  const address = requireFound(await findDepositAddress(tx, scope, id));
  const newest = { limit: DEPOSITS_SHOWN, before: null };
  const deposits = await listDeposits(tx, scope, { depositAddressId: address.id }, newest);
  return { address, deposits: deposits.items };
}
