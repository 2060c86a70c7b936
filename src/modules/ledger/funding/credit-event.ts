import type { FundingCreditRow } from '../../../db/ledger/funding-credit-store.ts';
import type { EventDraft } from '../../../domain/webhooks/events/envelope.ts';
import { balanceTransactionId } from '../../../domain/ledger/balance-transaction-id.ts';
import { formatAmount } from '../../../domain/money/amount.ts';

/** What moves is taken first and given second: a credit gives to the customer, its reversal takes. */
const CREDITED_LINE = 2;
const TAKEN_LINE = 1;

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
      balanceTransactionId: balanceTransactionId(
        reversalTransactionId === null
          ? { transactionId: credit.ledgerTransactionId, line: CREDITED_LINE }
          : { transactionId: reversalTransactionId, line: TAKEN_LINE },
      ),
    },
  };
}
