import type { Parties } from '../db/party-store.ts';
import type { Corridor } from '../domain/corridors/corridor.ts';
import type { CorridorTable } from '../domain/corridors/corridor-table.ts';
import { Refusal, refuseField, type Problem } from '../domain/errors/refusal.ts';
import { formatAmount, parseAmount } from '../domain/money/amount.ts';
import type { PaymentOrder } from './payment-order.ts';

/** Where money can go, and over which rails a connector of the environment pays. */
export interface ServedCorridors {
  readonly corridors: CorridorTable;
  readonly isServed: (rail: string) => boolean;
}

/**
 * Refuses an order that may not be accepted now, naming the field; answers the corridor it will take.
 * The accepting transaction holds the parties, so what they agree to here still holds when it commits.
 */
export function checkOrder(
  order: PaymentOrder,
  parties: Parties,
  served: ServedCorridors,
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
  if (parties.accountStatus === 'PENDING') {
    const message = 'The bank account waits for its approval by the operators.';
    throw refuseField('bank_account_pending', '/bankAccountId', message);
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
  if (parties.country !== null && served.corridors.restrictions.isRestricted(parties.country)) {
    const message = "Payments to the bank account's country are restricted.";
    throw refuseField('country_restricted', '/bankAccountId', message);
  }
  return findOpenCorridor(order, parties, served);
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
  { corridors, isServed }: ServedCorridors,
): Corridor {
  const { country, currency, rail } = parties;
  const corridor = corridors.find(country ?? '', currency ?? '', rail ?? '');
  if (corridor?.status !== 'ACTIVE' || !isServed(corridor.rail)) {
    throw refuseField(
      'corridor_unavailable',
      '/bankAccountId',
      "No corridor serves the bank account's country, currency and rail now.",
    );
  }
  refuseOutside(order, corridor);
  return corridor;
}

/** Limits that no source states are not judged. */
function refuseOutside({ amount, currency }: PaymentOrder, { min, max }: Corridor): void {
  const limit = (text: string): bigint => {
    const parsed = parseAmount(text, currency);
    if (!parsed.ok) throw new Error(`corridor limit ${text} ${currency} is unreadable`);
    return parsed.minor;
  };
  const refuseAmount = (code: 'amount_below_minimum' | 'amount_above_maximum', bound: bigint) =>
    new Refusal(code, "The amount is outside the corridor's limits.", [
      {
        path: '/amount',
        code,
        message: "The amount is outside the corridor's limits.",
        meta: { limit: formatAmount(bound, currency), currency },
      },
    ]);
  const least = min === null ? null : limit(min);
  const most = max === null ? null : limit(max);
  if (least !== null && amount < least) throw refuseAmount('amount_below_minimum', least);
  if (most !== null && amount > most) throw refuseAmount('amount_above_maximum', most);
}
