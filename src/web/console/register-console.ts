import { registerAccessPages } from '../login/register-access-pages.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { registerAddressPages } from './pages/customers/addresses/register-addresses.ts';
import { registerApprovals } from './pages/approvals/list.tsx';
import { registerApproval } from './pages/approvals/detail.tsx';
import { registerAuditLog } from './pages/operations/audit/list.tsx';
import { registerCustomers } from './pages/customers/list.tsx';
import { registerCustomer } from './pages/customers/detail.tsx';
import { registerDeposit } from './pages/onchain/deposits/detail.tsx';
import { registerHome } from './pages/home.tsx';
import { registerLiveRequestPages } from './pages/customers/live-requests/register.ts';
import { registerMails } from './pages/mails.tsx';
import { registerOperators } from './pages/customers/operators/list.tsx';
import { registerPayments } from './pages/payments/list.tsx';
import { registerPayment } from './pages/payments/detail.tsx';
import { registerCredit } from './pages/reconciliation/credit.tsx';
import { registerException } from './pages/reconciliation/exceptions/detail.tsx';
import { registerExceptions } from './pages/reconciliation/exceptions/list.tsx';
import { EXCEPTION_ACT_PAGES } from './pages/reconciliation/exceptions/acts.tsx';
import { registerReconciliation } from './pages/reconciliation/list.tsx';
import { registerStatement } from './pages/reconciliation/statement.tsx';
import { registerRelease } from './pages/operations/release/list.tsx';
import { registerAccessRequest } from './pages/customers/requests/detail.tsx';
import { registerRequests } from './pages/customers/requests/list.tsx';
import { registerCase } from './pages/parties/reviews/case.tsx';
import { registerDepositReview } from './pages/parties/reviews/deposit.tsx';
import { registerWalletReview } from './pages/parties/reviews/wallet.tsx';
import { registerReviews } from './pages/parties/reviews/list.tsx';
import { sendConsolePage } from './parts/console-page.tsx';
import type { ActPage } from './acts/act-page.tsx';
import { APPROVAL_ACT_PAGES } from './pages/approvals/acts.tsx';
import { CUSTOMER_ACT_PAGES } from './pages/customers/acts.tsx';
import { OPERATOR_ACT_PAGES } from './pages/customers/operators/acts.tsx';
import { RELEASE_ACT_PAGES } from './pages/operations/release/acts.ts';
import { REVIEW_ACT_PAGES } from './pages/parties/reviews/acts.tsx';
import { PAYMENT_ACT_PAGES } from './pages/payments/acts.tsx';
import { RECONCILIATION_ACT_PAGES } from './pages/reconciliation/acts.tsx';

/** Every page that shows something, but those of logging in. */
const PAGES: readonly ((app: WebApp, deps: ConsoleDeps) => void)[] = [
  ...[registerHome, registerMails, registerRequests, registerAccessRequest],
  ...[registerAddressPages, registerLiveRequestPages, registerApprovals, registerApproval],
  ...[registerPayments, registerPayment, registerDeposit],
  ...[registerReconciliation, registerCredit, registerStatement, registerRelease],
  ...[registerExceptions, registerException],
  ...[registerReviews, registerCase, registerWalletReview, registerDepositReview],
  ...[registerCustomers, registerCustomer, registerOperators, registerAuditLog],
];

/** The forms of acts. */
const ACT_PAGES: readonly ActPage[] = [
  ...[...PAYMENT_ACT_PAGES, ...RELEASE_ACT_PAGES, ...RECONCILIATION_ACT_PAGES],
  ...EXCEPTION_ACT_PAGES,
  ...[...REVIEW_ACT_PAGES, ...CUSTOMER_ACT_PAGES, ...OPERATOR_ACT_PAGES, ...APPROVAL_ACT_PAGES],
];

/** Every page of the operators' console. */
export function registerConsole(app: WebApp, deps: ConsoleDeps): void {
  registerAccessPages(app, {
    ...{ ...deps, surface: 'console', origin: deps.opsUrl },
    sendOwnPage: (request, reply, page) =>
      sendConsolePage(request, reply, { ...page, current: '/settings' }),
  });
  for (const serve of PAGES) serve(app, deps);
  for (const { serve } of ACT_PAGES) serve(app, deps);
}
