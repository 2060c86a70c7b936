import { registerAccessPages } from '../login/register-access-pages.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import { registerBalances } from './pages/ledger/balances/balances.tsx';
import { registerDepositAddress } from './pages/parties/deposit-addresses/detail.tsx';
import { registerDepositAddresses } from './pages/parties/deposit-addresses/list.tsx';
import { registerDeposit } from './pages/onchain/deposits/detail.tsx';
import { registerDeposits } from './pages/onchain/deposits/list.tsx';
import { registerEndUser } from './pages/parties/end-users/detail.tsx';
import { registerEndUsers } from './pages/parties/end-users/list.tsx';
import { registerUnmaskEndUser } from './pages/parties/end-users/unmask.tsx';
import { registerHome } from './pages/home/home.tsx';
import { registerCancelPayment } from './pages/payments/cancel.ts';
import { registerDecidePayment } from './pages/payments/decide.ts';
import { registerAllowBeneficiary } from './pages/payments/limits/beneficiaries.ts';
import { registerLimits } from './pages/payments/limits/list.tsx';
import { registerRemoveLimit } from './pages/payments/limits/remove.ts';
import { registerSetLimit } from './pages/payments/limits/set.tsx';
import { registerPayment } from './pages/payments/detail.tsx';
import { registerPaymentExport } from './pages/payments/export.ts';
import { registerPayments } from './pages/payments/list.tsx';
import { registerUnmaskPayment } from './pages/payments/unmask.tsx';
import { registerAuditLog } from './pages/operations/audit/list.tsx';
import { registerRequests } from './pages/operations/requests/list.tsx';
import { registerWallet } from './pages/parties/wallets/detail.tsx';
import { registerWallets } from './pages/parties/wallets/list.tsx';
import { registerCreateWebhook } from './pages/webhooks/create.tsx';
import { registerDelivery } from './pages/webhooks/delivery.tsx';
import { registerWebhook } from './pages/webhooks/detail.tsx';
import { registerEditWebhook } from './pages/webhooks/edit.tsx';
import { registerWebhooks } from './pages/webhooks/list.tsx';
import { registerRedeliver } from './pages/webhooks/redeliver.ts';
import { registerRemoveWebhook } from './pages/webhooks/remove.ts';
import { registerReplayWebhooks } from './pages/webhooks/replay.ts';
import { registerRotateSecret } from './pages/webhooks/rotate.ts';
import { registerTestWebhook } from './pages/webhooks/test.tsx';
import { registerTurnWebhook } from './pages/webhooks/turn.ts';
import { registerCreateKey } from './pages/customers/keys/create.tsx';
import { registerKey } from './pages/customers/keys/detail.tsx';
import { registerKeys } from './pages/customers/keys/list.tsx';
import { registerNewKey } from './pages/customers/keys/new.tsx';
import { registerProposeAddress } from './pages/customers/keys/propose-address.tsx';
import { registerRemoveAddress } from './pages/customers/keys/remove-address.tsx';
import { registerRevokeKey } from './pages/customers/keys/revoke.tsx';
import { registerRotateKey } from './pages/customers/keys/rotate.tsx';
import { registerInviteUser } from './pages/customers/users/invite-user.tsx';
import { registerLostPasskeys } from './pages/customers/users/lost-passkeys.ts';
import { registerUserActs } from './pages/customers/users/user-acts.ts';
import { registerUser } from './pages/customers/users/detail.tsx';
import { registerUsers } from './pages/customers/users/list.tsx';
import { registerCheck } from './pages/customers/going-live/check.ts';
import { registerCompany } from './pages/customers/going-live/company-page.tsx';
import { registerLiveRequest } from './pages/customers/going-live/request.ts';
import { registerGoingLive } from './pages/customers/going-live/going-live.tsx';
import { registerTerms } from './pages/customers/going-live/terms.tsx';
import { registerRequestAccess } from './pages/customers/onboarding/request-access.tsx';
import { registerVerification } from './pages/customers/onboarding/verify.tsx';
import { sendDashboardPage } from './parts/dashboard-page.tsx';

/** Every page of the dashboard but those of logging in. */
const PAGES: readonly ((app: WebApp, deps: DashboardDeps) => void)[] = [
  ...[registerHome, registerBalances, registerRequests, registerAuditLog],
  ...[registerPayments, registerPayment, registerUnmaskPayment],
  ...[registerPaymentExport, registerCancelPayment, registerDecidePayment],
  ...[registerLimits, registerSetLimit, registerRemoveLimit, registerAllowBeneficiary],
  ...[registerEndUsers, registerEndUser, registerUnmaskEndUser, registerWallets, registerWallet],
  ...[registerDeposits, registerDeposit, registerDepositAddresses, registerDepositAddress],
  ...[registerWebhooks, registerCreateWebhook, registerWebhook, registerEditWebhook],
  ...[registerTurnWebhook, registerRemoveWebhook, registerRotateSecret, registerTestWebhook],
  ...[registerReplayWebhooks, registerDelivery, registerRedeliver],
  ...[registerKeys, registerNewKey, registerCreateKey, registerKey, registerRotateKey],
  ...[registerRevokeKey, registerProposeAddress, registerRemoveAddress],
  ...[registerUsers, registerInviteUser, registerUser, registerUserActs, registerLostPasskeys],
  ...[registerGoingLive, registerCompany, registerCheck, registerTerms, registerLiveRequest],
  ...[registerRequestAccess, registerVerification],
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
