import type { FundingCreditRow } from '../db/funding-credit-store.ts';
import type { EventDraft } from '../domain/events/envelope.ts';
import { formatAmount } from '../domain/money/amount.ts';

/** The event of a credit's version: what it is of, and nothing of who paid. */
export function creditEvent(credit: FundingCreditRow): EventDraft {
  const { id, version, currency, reference, bookedAt, reversalTransactionId } = credit;
  const isReversed = reversalTransactionId !== null;
  return {
    type: isReversed ? 'balance.credit_reversed' : 'balance.credited',
    resourceType: 'funding_credit',
    resourceId: id,
    resourceVersion: version,
    data: {
      id,
      status: isReversed ? 'REVERSED' : 'CREDITED',
      currency,
      amount: formatAmount(credit.amount, currency),
      reference,
      bookedAt: bookedAt?.toISOString() ?? null,
      balanceTransactionId: reversalTransactionId ?? credit.ledgerTransactionId,
    },
  };
}
