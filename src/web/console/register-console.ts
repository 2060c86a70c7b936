import { registerAccessPages } from '../login/register-access-pages.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { registerAddressPages } from './pages/customers/addresses/register-addresses.ts';
import { serveApprovalActs } from './pages/approvals/acts.tsx';
import { registerApprovals } from './pages/approvals/list.tsx';
import { registerApproval } from './pages/approvals/detail.tsx';
import { registerAuditLog } from './pages/operations/audit/list.tsx';
import { serveCustomerActs } from './pages/customers/acts.tsx';
import { registerCustomers } from './pages/customers/list.tsx';
import { serveOwnerAct } from './pages/customers/owner-act.tsx';
import { registerCustomer } from './pages/customers/detail.tsx';
import { registerDeposit } from './pages/onchain/deposits/detail.tsx';
import { registerHome } from './pages/home.tsx';
import { registerLiveRequestPages } from './pages/customers/live-requests/register.ts';
import { registerMails } from './pages/mails.tsx';
import { serveOperatorActs } from './pages/customers/operators/acts.tsx';
import { serveLostPasskeys } from './pages/customers/operators/lost-passkeys.tsx';
import { registerOperators } from './pages/customers/operators/list.tsx';
import { servePaymentActs } from './pages/payments/acts.tsx';
import { serveConfirmActs } from './pages/payments/confirm-acts.tsx';
import { registerPayments } from './pages/payments/list.tsx';
import { registerPayment } from './pages/payments/detail.tsx';
import { serveVoidAct } from './pages/payments/void-act.tsx';
import { serveCreditActs } from './pages/reconciliation/credit-acts.tsx';
import { registerCredit } from './pages/reconciliation/credit.tsx';
import { registerReconciliation } from './pages/reconciliation/list.tsx';
import { serveStatementActs } from './pages/reconciliation/statement-acts.tsx';
import { registerStatement } from './pages/reconciliation/statement.tsx';
import { registerRelease } from './pages/operations/release/list.tsx';
import { serveRestoreActs } from './pages/operations/release/restore-acts.tsx';
import { serveStopActs } from './pages/operations/release/stop-acts.tsx';
import { registerAccessRequest } from './pages/customers/requests/detail.tsx';
import { serveDecideRequest } from './pages/customers/requests/decide-request.ts';
import { registerRequests } from './pages/customers/requests/list.tsx';
import { serveCaseActs } from './pages/parties/reviews/case-acts.tsx';
import { registerCase } from './pages/parties/reviews/case.tsx';
import { serveBlockedDepositActs } from './pages/parties/reviews/blocked-deposit-acts.tsx';
import { serveDepositActs, registerDepositReview } from './pages/parties/reviews/deposit.tsx';
import { serveKycOverride } from './pages/parties/reviews/kyc-override.tsx';
import { serveWalletActs } from './pages/parties/reviews/wallet-acts.tsx';
import { registerWalletReview } from './pages/parties/reviews/wallet.tsx';
import { registerReviews } from './pages/parties/reviews/list.tsx';
import { sendConsolePage } from './parts/console-page.tsx';

/** Every page of the operators' console but those of logging in. */
const PAGES: readonly ((app: WebApp, deps: ConsoleDeps) => void)[] = [
  ...[registerHome, registerMails],
  ...[registerRequests, registerAccessRequest, serveDecideRequest],
  ...[registerAddressPages, registerLiveRequestPages],
  ...[registerApprovals, registerApproval, serveApprovalActs],
  ...[registerPayments, registerPayment, servePaymentActs, serveConfirmActs, serveVoidAct],
  registerDeposit,
  ...[
    registerReconciliation,
    registerCredit,
    serveCreditActs,
    registerStatement,
    serveStatementActs,
  ],
  ...[registerRelease, serveStopActs, serveRestoreActs],
  ...[registerReviews, registerCase, serveCaseActs, serveKycOverride],
  ...[registerWalletReview, serveWalletActs, registerDepositReview, serveDepositActs],
  serveBlockedDepositActs,
  ...[registerCustomers, registerCustomer, serveCustomerActs, serveOwnerAct],
  ...[registerOperators, serveOperatorActs, serveLostPasskeys, registerAuditLog],
];

/** Every page of the operators' console. */
export function registerConsole(app: WebApp, deps: ConsoleDeps): void {
  registerAccessPages(app, {
    ...{ ...deps, surface: 'console', origin: deps.opsUrl },
    sendOwnPage: (request, reply, page) =>
      sendConsolePage(request, reply, { ...page, current: '/settings' }),
  });
  for (const serve of PAGES) serve(app, deps);
}
