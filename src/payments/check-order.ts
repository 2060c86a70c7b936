import type { Parties } from '../db/party-store.ts';
import type { Corridor } from '../domain/corridors/corridor.ts';
import { findCorridor } from '../domain/corridors/corridor-table.ts';
import { Refusal, refuseField, type Problem } from '../domain/errors/refusal.ts';
import { formatAmount, parseAmount } from '../domain/money/amount.ts';
import type { PaymentOrder } from './payment-order.ts';

/**
 * Refuses an order that may not be accepted now, naming the field; answers the corridor it will take.
 * The accepting transaction holds the parties, so what they agree to here still holds when it commits.
 */
export function checkOrder(
  order: PaymentOrder,
  parties: Parties,
  isServed: (rail: string) => boolean,
): Corridor {
  if (parties.customerStatus !== 'ACTIVE') {
    throw new Refusal('customer_suspended', 'The customer account is suspended.');
  }
  refuseUnknownIds(order, parties);
  if (parties.endUserStatus !== 'ACTIVE') {
    throw refuseField('end_user_not_active', '/endUserId', 'The end-user is not ACTIVE.');
  }
  if (parties.kycStatus !== 'APPROVED') {
    throw refuseField('kyc_not_approved', '/endUserId', 'The end-user has no approved KYC check.');
  }
  if (parties.accountStatus !== 'ACTIVE') {
    throw refuseField('bank_account_disabled', '/bankAccountId', 'The bank account is disabled.');
  }
  if (parties.nameCheck === 'NO_MATCH') {
    const message = "The bank knows the account under another name than the holder's.";
    throw refuseField('payee_name_mismatch', '/bankAccountId', message);
  }
  if (parties.currency !== order.currency) {
    throw new Refusal('currency_mismatch', "The currency is not the bank account's.", [
      {
        path: '/currency',
        code: 'currency_mismatch',
        message: "The currency must be the bank account's.",
        meta: { bankAccountCurrency: parties.currency },
      },
    ]);
  }
  return findOpenCorridor(order, parties, isServed);
}

/** An id that is missing and an id of another customer answer alike; all of them at once. */
function refuseUnknownIds(order: PaymentOrder, parties: Parties): void {
  const problems: Problem[] = [];
  const miss = (path: string) =>
    problems.push({ path, code: 'resource_not_found', message: 'There is no such resource.' });
  if (parties.endUserStatus === null) miss('/endUserId');
  const isOwned = parties.endUserStatus === null || parties.accountOwner === order.endUserId;
  if (parties.accountStatus === null || !isOwned) miss('/bankAccountId');
  if (problems.length === 0) return;
  throw new Refusal('resource_not_found', 'An id in the body is not one of yours.', problems);
}

function findOpenCorridor(
  order: PaymentOrder,
  parties: Parties,
  isServed: (rail: string) => boolean,
): Corridor {
  const { country, currency, rail } = parties;
  const corridor = findCorridor(country ?? '', currency ?? '', rail ?? '');
  if (corridor?.status !== 'ACTIVE' || !isServed(corridor.rail)) {
    throw refuseField(
      'corridor_unavailable',
      '/bankAccountId',
      "No corridor serves the bank account's country, currency and rail now.",
    );
  }
  const limit = (text: string): bigint => {
    const parsed = parseAmount(text, order.currency);
    if (!parsed.ok) throw new Error(`corridor limit ${text} ${order.currency} is unreadable`);
    return parsed.minor;
  };
  const refuseAmount = (code: 'amount_below_minimum' | 'amount_above_maximum', bound: bigint) =>
    new Refusal(code, "The amount is outside the corridor's limits.", [
      {
        path: '/amount',
        code,
        message: "The amount is outside the corridor's limits.",
        meta: { limit: formatAmount(bound, order.currency), currency: order.currency },
      },
    ]);
  const least = limit(corridor.min);
  const most = limit(corridor.max);
  if (order.amount < least) throw refuseAmount('amount_below_minimum', least);
  if (order.amount > most) throw refuseAmount('amount_above_maximum', most);
  return corridor;
}
