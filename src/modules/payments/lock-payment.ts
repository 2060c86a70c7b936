import type { Database, ScopedTransaction } from '../../db/client/database.ts';
import { lockPayments, type PaymentRow } from '../../db/payments/payment-store.ts';
import { readAttempts } from '../../db/payments/settlement-attempt-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import { openAttemptOf } from '../../domain/payments/attempt.ts';
import { mayBankKnow } from '../../domain/payments/cancel-rules.ts';
import type { Scope } from '../../domain/scope.ts';
import { applyFunding } from './apply-funding.ts';
import { applyReports } from './apply-reports.ts';
import type { LockedPayment } from './locked-payment.ts';

export interface LockDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
}

/**
 * The one way to a payment that is to be changed: its row is locked, the clock is read, what the bank reported
 * and what deposits brought meanwhile is applied, and `work` gets the payment as it is then. Throws where the scope has no such
 * payment.
 */
export function withLockedPayment<Result>(
  deps: LockDeps,
  scope: Scope,
  paymentId: string,
  work: (locked: LockedPayment) => Promise<Result>,
): Promise<Result> {
  return deps.db.write(scope, async (tx) => {
    const [payment] = await lockPayments(tx, scope, [paymentId]);
    if (payment === undefined) throw new Error(`there is no payment ${paymentId} in its scope`);
    const { corridors, clock } = deps;
    return work(await readLocked(tx, scope, payment, { corridors, now: clock.now() }));
  });
}

/** The same for several payments of a scope, in one transaction. `work` gets them in the order of their ids. */
export function withLockedPayments<Result>(
  { db, corridors, clock }: LockDeps,
  scope: Scope,
  paymentIds: readonly string[],
  work: (locked: readonly LockedPayment[]) => Promise<Result>,
): Promise<Result> {
  const ids = [...new Set(paymentIds)];
  return db.write(scope, async (tx) => {
    const payments = await lockPayments(tx, scope, ids);
    const missing = ids.find((one) => !payments.some(({ id }) => id === one));
    if (missing !== undefined) throw new Error(`there is no payment ${missing} in its scope`);
    const now = clock.now();
    const locked: LockedPayment[] = [];
    for (const payment of payments) {
      locked.push(await readLocked(tx, scope, payment, { corridors, now }));
    }
    return work(locked);
  });
}

/** The same for a row that the transaction has locked already, among others. */
export async function readLocked(
  tx: ScopedTransaction,
  scope: Scope,
  payment: PaymentRow,
  { corridors, now }: { readonly corridors: CorridorTable; readonly now: Date },
): Promise<LockedPayment> {
  const attempts = await readAttempts(tx, scope, payment.id);
  // The row's own word is as of the statement's beginning, the attempts' is as of the lock.
  const hasOpenAttempt = openAttemptOf(attempts) !== null;
  const mayHaveLeft = payment.mayHaveLeft || mayBankKnow(attempts);
  const told = await applyReports({
    tx,
    scope,
    corridors,
    now,
    payment: { ...payment, hasOpenAttempt, mayHaveLeft },
    attempts,
    book: null,
  });
  return applyFunding(told);
}
