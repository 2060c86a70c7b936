import { updateAttempt, type AttemptRow } from '../../db/payments/settlement-attempt-store.ts';
import type { Actor } from '../../domain/actor.ts';
import type { SettlementStep } from '../../domain/payments/settle-by-report.ts';
import { changePayment } from './change-payment.ts';
import type { LockedPayment } from './locked-payment.ts';

/** Writes what the rules decided, step by step; answers the payment as it is then. */
export async function takeSteps(
  locked: LockedPayment,
  steps: readonly SettlementStep<AttemptRow>[],
  actor: Actor,
): Promise<LockedPayment> {
  let current = locked;
  for (const { attempt, change } of steps) {
    // The attempt first: the database lets a payment go only by what its attempt says.
    current = await saveAttempt(current, attempt);
    if (change !== null) current = await changePayment(current, change, actor);
  }
  return current;
}

/** Writes an attempt's next state; one that is as it was costs nothing. */
export async function saveAttempt(
  locked: LockedPayment,
  attempt: AttemptRow,
): Promise<LockedPayment> {
  if (locked.attempts.includes(attempt)) return locked;
  await updateAttempt(locked.tx, locked.scope, attempt);
  const attempts = locked.attempts.map((one) =>
    one.reference === attempt.reference ? attempt : one,
  );
  return { ...locked, attempts };
}
