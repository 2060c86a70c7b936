import type { Database } from '../../db/client/database.ts';
import {
  lockLateReturnsToAlarm,
  markLateReturnsAlarmed,
} from '../../db/payments/late-return-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Environment } from '../../domain/scope.ts';

/** Rows of one run; the next one takes the rest. */
const ALARMS_MAX = 500;

export type RaiseLateReturn = (late: {
  readonly paymentId: string;
  readonly environment: Environment;
}) => void;

/**
 * Raises an alarm for each late return that has none yet, and marks it: after a crash in between it is
 * raised again, and none is lost.
 */
export async function alarmLateReturns(
  deps: {
    readonly db: Database;
    readonly clock: Clock;
    readonly raiseLateReturn: RaiseLateReturn;
  },
  environment: Environment,
): Promise<void> {
  await deps.db.system(async (tx) => {
    const late = await lockLateReturnsToAlarm(tx, environment, ALARMS_MAX);
    if (late.length === 0) return;
    for (const { paymentId } of late) deps.raiseLateReturn({ paymentId, environment });
    const ids = late.map(({ paymentId }) => paymentId);
    await markLateReturnsAlarmed(tx, ids, deps.clock.now());
  });
}
