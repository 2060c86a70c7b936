import type { BalanceTransactionRow } from '../../../db/ledger/balance-transaction-store.ts';
import { balanceOf, shownAs } from '../../../domain/ledger/balance-transaction.ts';
import { balanceTransactionId } from '../../../domain/ledger/balance-transaction-id.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { unitOf } from '../../../domain/money/unit-of.ts';

/** A balance transaction as the API shows it. */
export function balanceTransactionView(row: BalanceTransactionRow) {
  const { type, description } = shownAs(row.kind);
  return {
    id: balanceTransactionId(row),
    type,
    balance: balanceOf(row.account),
    ...unitOf(row.currency),
    amount: formatAmount(row.amount, row.currency),
    balanceAfter: formatAmount(row.balanceAfter, row.currency),
    source:
      row.paymentId === null
        ? null
        : {
            type: 'payment' as const,
            id: row.paymentId,
            kind: row.paymentKind ?? ('PAYOUT' as const),
          },
    externalId: row.externalId,
    description,
    createdAt: row.createdAt.toISOString(),
  };
}
