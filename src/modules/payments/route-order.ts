import type { Parties } from '../../db/parties/party-store.ts';
import { Refusal, type Problem } from '../../domain/errors/refusal.ts';
import { findLimitProblem } from './find-limit-problem.ts';
import { missing, problem } from './order-problem.ts';
import type { PaymentOrder } from './payment-order.ts';
import { NO_ROUTE, routeToWallet, type Routed } from './route-wallet-order.ts';
import type { ServedCorridors } from './served-corridors.ts';

/**
 * Routes an order and finds its problems, its balance aside. What cannot be judged is left out: nothing is said of an account that is not the caller's. Throws customer_suspended, as the customer's keys are
 * refused. Where the transaction holds the parties, what they agree to here still holds when it commits.
 */
export function routeOrder(order: PaymentOrder, parties: Parties, served: ServedCorridors): Routed {
  if (parties.customerStatus !== 'ACTIVE') {
    throw new Refusal(
      'customer_suspended',
      'The customer account is suspended. Contact the operators of the service.',
    );
  }
  const { destination } = order;
  const { route, problems } =
    destination.kind === 'BANK'
      ? routeToAccount(order, destination.bankAccountId, parties, served)
      : routeToWallet(order, destination.walletId, parties, served);
  return { route, problems: [...endUserProblems(parties), ...problems] };
}

const MISSING_ACCOUNT: Routed = { route: NO_ROUTE, problems: [missing('/bankAccountId')] };

function endUserProblems({ endUserStatus, kycStatus }: Parties): Problem[] {
  const at = '/endUserId';
  if (endUserStatus === null) return [missing(at)];
  return [
    ...(endUserStatus === 'ACTIVE'
      ? []
      : [
          problem(
            'end_user_not_active',
            at,
            'The end-user is not ACTIVE: it is suspended or closed.',
          ),
        ]),
    ...(kycStatus === 'APPROVED'
      ? []
      : [
          problem(
            'kyc_not_approved',
            at,
            'The end-user has no approved KYC check. Start a check and wait for its approval.',
          ),
        ]),
  ];
}

function routeToAccount(
  order: PaymentOrder,
  bankAccountId: string,
  parties: Parties,
  served: ServedCorridors,
): Routed {
  const { accountStatus, nameCheck, currency, country, rail } = parties;
  const isOwned = parties.endUserStatus === null || parties.accountOwner === order.endUserId;
  if (accountStatus === null || !isOwned) return MISSING_ACCOUNT;
  const at = '/bankAccountId';
  const isRestricted = country !== null && served.corridors.restrictions.isRestricted(country);
  const corridor = served.corridors.find(country ?? '', currency ?? '', rail ?? '') ?? null;
  const isOpen = corridor?.status === 'ACTIVE' && served.isServed(corridor.rail);
  const isSameCurrency = currency === order.unit;
  // Limits are of the corridor's currency, and worth telling only of one that can be taken.
  const limit = isSameCurrency && isOpen ? findLimitProblem(order, corridor) : null;
  const noName =
    'The holder name does not match the name that the bank has. Register the account with the correct name.';
  const noCountry = 'Payments to the country of the bank account are restricted.';
  const noApproval =
    'The bank account is PENDING: it awaits approval by the operators of the service.';
  const noWay =
    'No corridor is available for the country, currency, and rail of the bank account now.';
  const problems = [
    ...(accountStatus === 'PENDING' ? [problem('bank_account_pending', at, noApproval)] : []),
    ...(accountStatus === 'DISABLED'
      ? [problem('bank_account_disabled', at, 'The bank account is disabled. Use another account.')]
      : []),
    ...(nameCheck === 'NO_MATCH' ? [problem('payee_name_mismatch', at, noName)] : []),
    ...(isSameCurrency ? [] : [currencyMismatch(currency)]),
    ...(isRestricted ? [problem('country_restricted', at, noCountry)] : []),
    // A restricted country has no open corridor: that is said once.
    ...(isOpen || isRestricted ? [] : [problem('corridor_unavailable', at, noWay)]),
    ...(limit === null ? [] : [limit]),
  ];
  const isPriceable = isSameCurrency && limit === null;
  const destination = rail === null ? null : ({ kind: 'BANK', bankAccountId, rail } as const);
  return { route: { corridor, destination, country, isPriceable }, problems };
}

const currencyMismatch = (bankAccountCurrency: string | null): Problem => ({
  ...problem(
    'currency_mismatch',
    '/currency',
    'The currency does not match the currency of the bank account.',
  ),
  meta: { bankAccountCurrency },
});
