import type { Database } from '../../src/db/client/database.ts';
import { systemActor } from '../../src/domain/actor.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createCorridorTable } from '../../src/domain/payments/corridors/corridor-table.ts';
import type { Environment, Scope } from '../../src/domain/scope.ts';
import { changePayment } from '../../src/modules/payments/change-payment.ts';
import { finalisePayments } from '../../src/modules/payments/finalise-payments.ts';
import { withLockedPayment } from '../../src/modules/payments/lock-payment.ts';

/** What the schedule does, once. */
export const finalise = (
  db: Database,
  clock: Clock,
  environment: Environment = 'test',
): Promise<void> => finalisePayments({ db, clock, heartbeat: () => undefined }, environment);

/** As a statement that shows the payout would have it, in one version. */
export async function reconcileByHand(
  db: Database,
  clock: Clock,
  scope: Scope,
  paymentId: string,
): Promise<void> {
  const deps = { db, clock, corridors: createCorridorTable() };
  const change = {
    reconciliationStatus: 'RECONCILED',
    reconciliationEvidence: { statementId: 'STMT-SAMPLE', line: 1 },
  } as const;
  await withLockedPayment(deps, scope, paymentId, (locked) =>
    changePayment(locked, change, systemActor('bank-statement')),
  );
}
