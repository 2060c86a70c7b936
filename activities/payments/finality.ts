import type { Environment } from '../../src/domain/scope.ts';
import {
  alarmLateReturns,
  type RaiseLateReturn,
} from '../../src/modules/payments/alarm-late-returns.ts';
import {
  finalisePayments,
  type FinaliseDeps,
} from '../../src/modules/payments/finalise-payments.ts';

export interface FinalityDeps extends FinaliseDeps {
  readonly raiseLateReturn: RaiseLateReturn;
}

/** What happens to payments once they are delivered. Each may run twice, or at the same time as itself. */
export function createFinalityActivities(deps: FinalityDeps) {
  return {
    /**
     * Makes every payment of an environment final that a statement has confirmed and that can no longer
     * come back, and raises the alarms of those that did all the same; heartbeats.
     */
    async finalisePayments(environment: Environment): Promise<void> {
      // First: a payment that cannot become final must not silence what came back.
      await alarmLateReturns(deps, environment);
      await finalisePayments(deps, environment);
    },
  };
}
