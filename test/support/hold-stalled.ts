import type { Database } from '../../src/db/client/database.ts';
import { systemActor } from '../../src/domain/actor.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createCorridorTable } from '../../src/domain/payments/corridors/corridor-table.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { changePayment } from '../../src/modules/payments/change-payment.ts';
import { withLockedPayment } from '../../src/modules/payments/lock-payment.ts';
import { saveAttempt } from '../../src/modules/payments/take-steps.ts';

/** Holds a seeded payment of fate UNKNOWN as the engine does when the bank has answered no question for too long. */
export async function holdStalled(
  deps: { readonly db: Database; readonly clock: Clock },
  scope: Scope,
  paymentId: string,
): Promise<void> {
  const lock = { ...deps, corridors: createCorridorTable() };
  await withLockedPayment(lock, scope, paymentId, async (locked) => {
    const [attempt] = locked.attempts;
    if (attempt === undefined) throw new Error('there is no attempt');
    const asked = await saveAttempt(locked, { ...attempt, lastAnswer: 'TIMEOUT' });
    const held = { status: 'ON_HOLD', statusDetail: 'STALLED', fundsStatus: 'UNKNOWN' } as const;
    await changePayment(asked, held, systemActor('settlement'));
  });
}
