import { viewBankAccount } from '../../../../modules/parties/bank-accounts/bank-account-view.ts';
import { listApiRequests } from '../../../../db/customers/api-request-store.ts';
import { findBankAccount } from '../../../../db/parties/bank-account-store.ts';
import type { ScopedTransaction } from '../../../../db/client/database.ts';
import { findDepositOfExit } from '../../../../db/onchain/deposit-exit-store.ts';
import { listDeposits } from '../../../../db/onchain/deposit-list-store.ts';
import { readHistory } from '../../../../db/payments/payment-history-store.ts';
import { findLimitCheck } from '../../../../db/payments/payment-limit-store.ts';
import { findPayment, type PaymentRow } from '../../../../db/payments/payment-store.ts';
import { listResourceDeliveries } from '../../../../db/webhooks/resource-delivery-store.ts';
import { readAttempts } from '../../../../db/payments/settlement-attempt-store.ts';
import { findWallet } from '../../../../db/parties/wallet-store.ts';
import { requireFound } from '../../../../domain/errors/require-found.ts';
import { isCancelable } from '../../../../domain/payments/cancel-rules.ts';
import { destinationIds } from '../../../../domain/payments/payment-destination.ts';
import type { Scope } from '../../../../domain/scope.ts';
import { isKeyOf, waitsForApproval } from '../../../../modules/payments/limits/decide-payment.ts';
import { paymentArrival } from '../../../../modules/payments/payment-arrival.ts';
import { timelineOf } from '../../../../modules/payments/timeline.ts';
import { timeText } from '../../../kit/time-text.ts';
import type { WebApp } from '../../../kit/web-deps.ts';
import type { DashboardDeps } from '../../dashboard-deps.ts';
import { may, openPlace, type Place } from '../../environment.tsx';
import { sendDashboardPage } from '../../parts/dashboard-page.tsx';
import type { BeneficiaryView } from './payment-facts.tsx';
import { PaymentPage } from './payment-page.tsx';

/** Requests that are shown; the request log has all that it still holds. */
const REQUESTS_SHOWN = 12;
/** Deposits to its address that are shown; the list of deposits has all. */
const DEPOSITS_SHOWN = 10;

/** GET /{env}/payments/{id} */
export function registerPayment(app: WebApp, deps: DashboardDeps): void {
  app.get(
    '/:env/payments/:paymentId',
    { config: { right: 'see-payments' } },
    async (request, reply) => {
      const place = await openPlace(request, reply, { title: 'Payments', current: '/payments' });
      if (place === null) return reply;
      const { user, scope, environment } = place;
      const { paymentId } = request.params as { readonly paymentId: string };
      const found = await deps.db.read(scope, (tx) => readAll(deps, tx, scope, paymentId));
      const { payment } = found;
      const current = `/${environment}/payments`;
      const path = `${current}/${payment.id}`;
      const formOf = (act: string) => ({
        action: `${path}/${act}`,
        token: reply.newForm(`${path}/${act}`),
      });
      const waiting = await readApproval(deps, place, payment);
      const mayDecide = waiting !== null && may(user, 'approve-payments');
      // To decline it cancels it.
      const isOffered = may(user, 'cancel-payments') && isCancelable(payment) && !mayDecide;
      return sendDashboardPage(request, reply, {
        ...{ title: `Payment ${payment.id}`, environment, current },
        body: (
          <PaymentPage
            {...found}
            {...{ environment, apiUrl: deps.apiUrl, times: timeText(user.timeZone) }}
            cancel={isOffered ? formOf('cancel') : null}
            approval={
              waiting && {
                ...waiting,
                approve: mayDecide && !waiting.isOwnKey ? formOf('approve') : null,
                decline: mayDecide ? formOf('decline') : null,
                limitsHref: `/${environment}/limits`,
              }
            }
            unmask={may(user, 'unmask-personal-data') ? formOf('unmask') : null}
          />
        ),
      });
    },
  );
}

/** What a payment that waits for a user is over; null: it does not. */
async function readApproval({ db }: DashboardDeps, { scope, user }: Place, payment: PaymentRow) {
  if (!waitsForApproval(payment)) return null;
  return db.read(scope, async (tx) => {
    const check = await findLimitCheck(tx, scope, payment.id);
    if (check === null) return null;
    const isOwnKey = await isKeyOf(tx, scope, check, { kind: 'USER', id: user.id });
    const { bankAccountId, walletId } = destinationIds(payment.destination);
    return { reasons: check.reasons, isOwnKey, destinationId: bankAccountId ?? walletId ?? '' };
  });
}

async function readAll(
  { vault, clock, corridors }: DashboardDeps,
  tx: ScopedTransaction,
  scope: Scope,
  paymentId: string,
) {
  const payment = requireFound(await findPayment(tx, scope, paymentId));
  const history = await readHistory(tx, scope, [payment.id]);
  const attempts = await readAttempts(tx, scope, payment.id);
  const deliveries = await listResourceDeliveries(tx, scope, payment.id);
  const about = { paymentId: payment.id };
  const requests = await listApiRequests(tx, scope, about, { limit: REQUESTS_SHOWN, before: null });
  const beneficiary = await readBeneficiary(vault, tx, scope, payment);
  const now = clock.now();
  return {
    ...{ payment, beneficiary, attempts, deliveries, requests: requests.items },
    deposits: await readDeposits(tx, scope, payment),
    ofDeposit: await findDepositOfExit(tx, scope, payment.id),
    timeline: timelineOf(payment, history, attempts, now),
    arrival: paymentArrival(payment, history, {
      country: beneficiary.kind === 'WALLET' ? null : beneficiary.account.country,
      // This process has no connectors. What none of them pays was not accepted.
      served: { corridors, isServed: () => true, assetsOf: () => null },
      now,
    }),
  };
}

/** What came to the payment's address, newest first; null where it has none, for its balance pays. */
async function readDeposits(tx: ScopedTransaction, scope: Scope, { id, funding }: PaymentRow) {
  if (funding === null) return null;
  const newest = { limit: DEPOSITS_SHOWN, before: null };
  return (await listDeposits(tx, scope, { paymentId: id }, newest)).items;
}

async function readBeneficiary(
  vault: DashboardDeps['vault'],
  tx: ScopedTransaction,
  scope: Scope,
  { destination }: PaymentRow,
): Promise<BeneficiaryView> {
  if (destination.kind === 'WALLET') {
    const wallet = requireFound(await findWallet(tx, scope, destination.walletId));
    return { kind: 'WALLET', wallet };
  }
  const { bankAccountId } = destination;
  const account = requireFound(await findBankAccount(tx, scope, bankAccountId));
  return { kind: 'BANK_ACCOUNT', account: viewBankAccount(account, vault) };
}
