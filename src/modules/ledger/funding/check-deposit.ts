import { lockAvailable, openBalance } from '../../../db/ledger/balance-store.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { sumWaitingDeposits } from '../../../db/onchain/sandbox-deposit-store.ts';
import { refuseField } from '../../../domain/errors/refusal.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import type { Scope } from '../../../domain/scope.ts';

/** Minor units. Far below what a balance can hold, however many deposits are on their way. */
const BALANCE_MAX = 10n ** 15n;

/**
 * Throws Refusal amount_above_maximum where a deposit, with those that the bank has not been told of,
 * would take the balance beyond its maximum. Keeps the balance from others: of two at once the second
 * one sees the first.
 */
export async function checkDeposit(
  tx: ScopedTransaction,
  scope: Scope,
  { currency, minor }: { readonly currency: string; readonly minor: bigint },
): Promise<void> {
  await openBalance(tx, scope, currency);
  const available = (await lockAvailable(tx, scope, currency)) ?? 0n;
  const waiting = await sumWaitingDeposits(tx, scope, currency);
  if (available + waiting + minor <= BALANCE_MAX) return;
  const most = formatAmount(BALANCE_MAX, currency);
  const message = `A sandbox balance cannot exceed ${most} ${currency}. Reduce the amount.`;
  throw refuseField('amount_above_maximum', '/amount', message);
}
