import { registerAccessPages } from '../login/register-access-pages.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { registerAddresses } from './pages/customers/addresses/register-addresses.ts';
import { serveApprovalActs } from './pages/approvals/acts.tsx';
import { serveApprovals } from './pages/approvals/list.tsx';
import { serveApproval } from './pages/approvals/show.tsx';
import { serveAudit } from './pages/operations/audit/list.tsx';
import { serveCustomerActs } from './pages/customers/acts.tsx';
import { serveCustomers } from './pages/customers/list.tsx';
import { serveOwnerAct } from './pages/customers/owner-act.tsx';
import { serveCustomer } from './pages/customers/show.tsx';
import { serveDeposit } from './pages/onchain/deposits/show.tsx';
import { serveHome } from './pages/home.tsx';
import { registerLiveRequests } from './pages/customers/live-requests/register.ts';
import { serveMails } from './pages/mails.tsx';
import { serveOperatorActs } from './pages/customers/operators/acts.tsx';
import { serveLostPasskeys } from './pages/customers/operators/lost-passkeys.tsx';
import { serveOperators } from './pages/customers/operators/list.tsx';
import { servePaymentActs } from './pages/payments/acts.tsx';
import { serveConfirmActs } from './pages/payments/confirm-acts.tsx';
import { servePayments } from './pages/payments/list.tsx';
import { servePayment } from './pages/payments/show.tsx';
import { serveVoidAct } from './pages/payments/void-act.tsx';
import { serveCreditActs } from './pages/reconciliation/credit-acts.tsx';
import { serveCredit } from './pages/reconciliation/credit.tsx';
import { serveReconciliation } from './pages/reconciliation/list.tsx';
import { serveStatementActs } from './pages/reconciliation/statement-acts.tsx';
import { serveStatement } from './pages/reconciliation/statement.tsx';
import { serveRelease } from './pages/operations/release/list.tsx';
import { serveRestoreActs } from './pages/operations/release/restore-acts.tsx';
import { serveStopActs } from './pages/operations/release/stop-acts.tsx';
import { serveAccessRequest } from './pages/customers/requests/access-request-page.tsx';
import { serveDecideRequest } from './pages/customers/requests/decide-request.ts';
import { serveRequests } from './pages/customers/requests/requests-page.tsx';
import { serveCaseActs } from './pages/parties/reviews/case-acts.tsx';
import { serveCase } from './pages/parties/reviews/case.tsx';
import { serveBlockedDepositActs } from './pages/parties/reviews/blocked-deposit-acts.tsx';
import { serveDepositActs, serveDepositReview } from './pages/parties/reviews/deposit.tsx';
import { serveKycOverride } from './pages/parties/reviews/kyc-override.tsx';
import { serveWalletActs } from './pages/parties/reviews/wallet-acts.tsx';
import { serveWalletReview } from './pages/parties/reviews/wallet.tsx';
import { serveReviews } from './pages/parties/reviews/list.tsx';
import { sendConsolePage } from './parts/console-page.tsx';

/** Every page of the operators' console but those of logging in. */
const PAGES: readonly ((app: WebApp, deps: ConsoleDeps) => void)[] = [
  ...[serveHome, serveMails],
  ...[serveRequests, serveAccessRequest, serveDecideRequest],
  ...[registerAddresses, registerLiveRequests],
  ...[serveApprovals, serveApproval, serveApprovalActs],
  ...[servePayments, servePayment, servePaymentActs, serveConfirmActs, serveVoidAct],
  serveDeposit,
  ...[serveReconciliation, serveCredit, serveCreditActs, serveStatement, serveStatementActs],
  ...[serveRelease, serveStopActs, serveRestoreActs],
  ...[serveReviews, serveCase, serveCaseActs, serveKycOverride],
  ...[serveWalletReview, serveWalletActs, serveDepositReview, serveDepositActs],
  serveBlockedDepositActs,
  ...[serveCustomers, serveCustomer, serveCustomerActs, serveOwnerAct],
  ...[serveOperators, serveOperatorActs, serveLostPasskeys, serveAudit],
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
