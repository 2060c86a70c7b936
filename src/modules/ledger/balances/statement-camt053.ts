import type { BalanceTransactionType } from '../../../domain/ledger/balance-transaction.ts';
import { dayText, startOf } from '../../../domain/ledger/statement-day.ts';
import { bookedBalance, type BalanceStatement, type StatementEntry } from './balance-statement.ts';

/** Families and sub-families of ISO 20022's external bank transaction codes, in the domain PMNT. */
const CODES: Readonly<
  Record<BalanceTransactionType, { readonly family: string; readonly subFamily: string }>
> = {
  DEPOSIT: { family: 'RCDT', subFamily: 'OTHR' },
  PAYMENT: { family: 'ICDT', subFamily: 'OTHR' },
  // Reversal due to payment return.
  PAYMENT_RETURN: { family: 'ICDT', subFamily: 'RRTN' },
  FEE: { family: 'ICDT', subFamily: 'CHRG' },
  DEPOSIT_REVERSAL: { family: 'RCDT', subFamily: 'OTHR' },
  RECEIVABLE_REPAYMENT: { family: 'ICDT', subFamily: 'OTHR' },
  ADJUSTMENT: { family: 'RCDT', subFamily: 'OTHR' },
  PAYMENT_HOLD: { family: 'ICDT', subFamily: 'OTHR' },
  PAYMENT_RELEASE: { family: 'ICDT', subFamily: 'OTHR' },
};

/** A statement as a writer of camt.053 takes it. The account is the customer; it has one a currency. */
export function camt053Statement(statement: BalanceStatement) {
  const { scope, currency, day, opening, closing } = statement;
  return {
    id: `${scope.environment}-${currency}-${dayText(day)}`,
    sequence: day,
    createdAt: closing.closedAt.toISOString(),
    account: scope.customerId,
    currency,
    from: startOf(day).toISOString(),
    to: startOf(day + 1).toISOString(),
    date: dayText(day),
    opening: bookedBalance(opening),
    closing: bookedBalance(closing),
  };
}

/** Its entries: payments under the reference that their bank knows, fees under none. */
export async function* camt053Entries(entries: AsyncIterable<StatementEntry>) {
  for await (const entry of entries) {
    yield {
      reference: entry.id,
      amount: entry.amount,
      code: CODES[entry.type],
      servicerReference: entry.paymentId,
      endToEndId: entry.type === 'FEE' ? null : entry.reference,
      ownerReference: entry.externalId,
      information: entry.description,
    };
  }
}
