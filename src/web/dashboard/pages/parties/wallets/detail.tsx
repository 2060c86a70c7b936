import type { ScopedTransaction } from '../../../../../db/client/database.ts';
import { listPayments } from '../../../../../db/payments/payment-list-store.ts';
import { findWallet } from '../../../../../db/parties/wallet-store.ts';
import { requireFound } from '../../../../../domain/errors/require-found.ts';
import type { Scope } from '../../../../../domain/scope.ts';
import { timeText } from '../../../../kit/time-text.ts';
import type { WebApp } from '../../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../../dashboard-deps.ts';
import { openPlace } from '../../../environment.tsx';
import { sendDashboardPage } from '../../../parts/dashboard-page.tsx';
import { WalletPage } from './wallet-page.tsx';

const PAYMENTS_SHOWN = 5;

/** GET /{env}/wallets/{id} */
export function registerWallet(app: WebApp, { db, apiUrl }: DashboardDeps): void {
  app.get(
    '/:env/wallets/:walletId',
    { config: { right: 'see-payments' } },
    async (request, reply) => {
      const place = await openPlace(request, reply, { title: 'Wallets', current: '/wallets' });
      if (place === null) return reply;
      const { user, scope, environment } = place;
      const { walletId } = request.params as { readonly walletId: string };
      const found = await db.list(scope, (tx) => readAll(tx, scope, walletId));
      return sendDashboardPage(request, reply, {
        ...{ title: `Wallet ${found.wallet.id}`, environment },
        current: `/${environment}/wallets`,
        body: <WalletPage {...{ ...found, environment, apiUrl, times: timeText(user.timeZone) }} />,
      });
    },
  );
}

async function readAll(tx: ScopedTransaction, scope: Scope, id: string) {
  const wallet = requireFound(await findWallet(tx, scope, id));
  const newest = { limit: PAYMENTS_SHOWN, before: null };
  const payments = await listPayments(tx, scope, { walletId: wallet.id }, newest);
  return { wallet, payments: payments.items };
}
