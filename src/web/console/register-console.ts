import { registerAccessPages } from '../login/register-access-pages.ts';
import type { WebApp } from '../kit/web-deps.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { registerAddresses } from './pages/customers/addresses/register-addresses.ts';
import { serveApprovals } from './pages/approvals/list.tsx';
import { serveApproval } from './pages/approvals/show.tsx';
import { serveAudit } from './pages/operations/audit/list.tsx';
import { serveCustomers } from './pages/customers/list.tsx';
import { serveCustomer } from './pages/customers/show.tsx';
import { serveDeposit } from './pages/onchain/deposits/show.tsx';
import { serveHome } from './pages/home.tsx';
import { registerLiveRequests } from './pages/customers/live-requests/register.ts';
import { serveMails } from './pages/mails.tsx';
import { serveOperators } from './pages/customers/operators/list.tsx';
import { servePayments } from './pages/payments/list.tsx';
import { servePayment } from './pages/payments/show.tsx';
import { serveCredit } from './pages/reconciliation/credit.tsx';
import { serveReconciliation } from './pages/reconciliation/list.tsx';
import { serveStatement } from './pages/reconciliation/statement.tsx';
import { serveRelease } from './pages/operations/release/list.tsx';
import { serveAccessRequest } from './pages/customers/requests/access-request-page.tsx';
import { serveRequests } from './pages/customers/requests/requests-page.tsx';
import { serveCase } from './pages/parties/reviews/case.tsx';
import { serveDepositReview } from './pages/parties/reviews/deposit.tsx';
import { serveWalletReview } from './pages/parties/reviews/wallet.tsx';
import { serveReviews } from './pages/parties/reviews/list.tsx';
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
  ...[serveHome, serveMails, serveRequests, serveAccessRequest],
  ...[registerAddresses, registerLiveRequests, serveApprovals, serveApproval],
  ...[servePayments, servePayment, serveDeposit],
  ...[serveReconciliation, serveCredit, serveStatement, serveRelease],
  ...[serveReviews, serveCase, serveWalletReview, serveDepositReview],
  ...[serveCustomers, serveCustomer, serveOperators, serveAudit],
];

/** The forms of acts. */
const ACT_PAGES: readonly ActPage[] = [
  ...[...PAYMENT_ACT_PAGES, ...RELEASE_ACT_PAGES, ...RECONCILIATION_ACT_PAGES],
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
