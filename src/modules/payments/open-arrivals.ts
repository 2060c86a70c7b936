import type { ScopedTransaction } from '../../db/client/database.ts';
import { readAccountCountries } from '../../db/parties/bank-account-store.ts';
import type { HistoryRow } from '../../db/payments/payment-history-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { isSettledOrFinal } from '../../domain/payments/payment-states.ts';
import type { Scope } from '../../domain/scope.ts';
import { paymentArrival, type PaymentArrival } from './payment-arrival.ts';
import { servedIn, type CorridorDeps } from './served-corridors.ts';

/**
 * Says when payments of one scope arrive. Reads the countries of their bank accounts, all in one statement, and
 * nothing where each of them has ended or goes to a wallet.
 */
export async function openArrivals(
  deps: CorridorDeps & { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  payments: readonly PaymentRow[],
): Promise<(payment: PaymentRow, history: readonly HistoryRow[]) => PaymentArrival> {
  const accounts = payments.flatMap(({ status, destination }) =>
    destination.kind === 'BANK' && !isSettledOrFinal(status) ? [destination.bankAccountId] : [],
  );
  const countries = await readAccountCountries(tx, scope, accounts);
  const facts = { served: servedIn(deps, scope.environment), now: deps.clock.now() };
  return (payment, history) => {
    const { destination } = payment;
    const country =
      destination.kind === 'BANK' ? (countries.get(destination.bankAccountId) ?? null) : null;
    return paymentArrival(payment, history, { ...facts, country });
  };
}
