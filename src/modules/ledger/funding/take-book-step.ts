import type { ScopedTransaction } from '../../../db/client/database.ts';
import type { DepositRow } from '../../../db/onchain/deposit-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import type { DepositStatus } from '../../../domain/onchain/deposits/deposit.ts';
import type { BookStep } from '../../../domain/onchain/deposits/funding-book.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { EventType } from '../../../domain/webhooks/event-types.ts';
import { writeBookStep } from '../write-book-step.ts';
import { depositEvent } from './deposit-view.ts';
import type { LockedBook } from './locked-book.ts';

/**
 * Writes a step of a locked book with its movements and one event a deposit that changed; answers these.
 * The payment's own status is its workflow's: it is woken after the commit.
 */
export async function takeBookStep(
  tx: ScopedTransaction,
  scope: Scope,
  { funding, rows }: LockedBook,
  step: BookStep,
  at: Date,
): Promise<DepositRow[]> {
  const changed = await writeBookStep(tx, scope, funding, step, at);
  for (const row of changed) {
    const before = rows.find(({ id }) => id === row.id);
    const type = before?.status === row.status ? 'deposit.updated' : EVENT_OF[row.status];
    await recordEvent(tx, scope, depositEvent(type, row), at);
  }
  return changed;
}

/** What tells that a deposit has become what it is. */
const EVENT_OF: Readonly<Record<DepositStatus, Extract<EventType, `deposit.${string}`>>> = {
  SEEN: 'deposit.seen',
  CREDITED: 'deposit.credited',
  FINAL: 'deposit.final',
  ORPHANED: 'deposit.orphaned',
  BLOCKED: 'deposit.blocked',
  KEPT: 'deposit.kept',
};
