import { railOf } from '../../domain/payments/payment-destination.ts';
import type { ScopedTransaction } from '../../db/client/database.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import type { AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import type { LockedBook } from '../ledger/funding/locked-book.ts';
import type { CorridorTable } from '../../domain/payments/corridors/corridor-table.ts';
import type { Settlement } from '../../domain/payments/settle-by-report.ts';
import type { Scope } from '../../domain/scope.ts';

/** A payment whose row this transaction holds, as it is now, with all of its attempts. */
export interface LockedPayment {
  readonly tx: ScopedTransaction;
  readonly scope: Scope;
  readonly corridors: CorridorTable;
  /** Read under the lock: a version must not be older than the one that it waited for. */
  readonly now: Date;
  readonly payment: PaymentRow;
  /** First one first. */
  readonly attempts: readonly AttemptRow[];
  /** What it waits for with its deposits; null: its balance pays it, or it has ended. */
  readonly book: LockedBook | null;
}

/** What the settlement rules look at: the payment and one attempt of it. */
export function settlementOf(
  { payment, corridors, now }: Pick<LockedPayment, 'payment' | 'corridors' | 'now'>,
  attempt: AttemptRow,
): Settlement<AttemptRow> {
  const { destination, environment, unit: currency } = payment;
  const rail = railOf(destination);
  const areReturnsDeducted = corridors.returnsMayBeDeducted(rail, currency);
  // No network sends tokens back as a bank does: they are final with their block, which reconciles them.
  const isToWallet = destination.kind === 'WALLET';
  const finalDueAt = isToWallet
    ? now
    : corridors.returnWindowEnd({ environment, rail, currency }, now);
  return { payment, attempt, areReturnsDeducted, finalDueAt };
}
