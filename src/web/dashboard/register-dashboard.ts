import { registerAccessPages } from '../login/register-access-pages.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { showBalances } from './pages/ledger/balances/balances.tsx';
import { showDepositAddress } from './pages/parties/deposit-addresses/detail.tsx';
import { listDepositAddressesPage } from './pages/parties/deposit-addresses/list.tsx';
import { showDeposit } from './pages/onchain/deposits/detail.tsx';
import { listDepositsPage } from './pages/onchain/deposits/list.tsx';
import { showEndUser } from './pages/parties/end-users/detail.tsx';
import { listEndUsersPage } from './pages/parties/end-users/list.tsx';
import { unmaskEndUserForm } from './pages/parties/end-users/unmask.tsx';
import { showHome } from './pages/home/home.tsx';
import { cancelPaymentForm } from './pages/payments/cancel.ts';
import { showPayment } from './pages/payments/detail.tsx';
import { exportPayments } from './pages/payments/export.ts';
import { listPaymentsPage } from './pages/payments/list.tsx';
import { unmaskPaymentForm } from './pages/payments/unmask.tsx';
import { listAuditLog } from './pages/operations/audit/list.tsx';
import { listRequests } from './pages/operations/requests/list.tsx';
import { showWallet } from './pages/parties/wallets/detail.tsx';
import { listWalletsPage } from './pages/parties/wallets/list.tsx';
import { registerWebhooks } from './pages/webhooks/register-webhooks.ts';
import { serveRequestAccess } from './pages/customers/onboarding/request-access.tsx';
import { serveVerification } from './pages/customers/onboarding/verify.tsx';
import { registerUsers } from './pages/customers/users/register-users.ts';
import { registerGoingLive } from './pages/customers/going-live/register.ts';
import { registerKeys } from './pages/customers/keys/register-keys.ts';
import { sendDashboardPage } from './parts/dashboard-page.tsx';

/** Every page of the dashboard but those of logging in. */
const PAGES: readonly ((app: WebApp, deps: DashboardDeps) => void)[] = [
  ...[showHome, listPaymentsPage, exportPayments, showPayment, cancelPaymentForm],
  ...[unmaskPaymentForm, listEndUsersPage, showEndUser, unmaskEndUserForm, showBalances],
  ...[listDepositsPage, showDeposit, listDepositAddressesPage, showDepositAddress],
  ...[listWalletsPage, showWallet, registerWebhooks, listRequests, registerKeys],
  ...[serveRequestAccess, serveVerification, registerUsers, registerGoingLive, listAuditLog],
];

/** Every page of the customers' dashboard. */
export function registerDashboard(app: WebApp, deps: DashboardDeps): void {
  registerAccessPages(app, {
    ...{ ...deps, surface: 'dashboard', origin: deps.dashboardUrl },
    sendOwnPage: (request, reply, page) =>
      sendDashboardPage(request, reply, { ...page, environment: null, current: '/settings' }),
  });
  app.get('/', { config: { right: 'any-person' } }, async (_request, reply) =>
    reply.redirect('/test/home', 303),
  );
  for (const register of PAGES) register(app, deps);
}
