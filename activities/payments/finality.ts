import {
  alarmLateReturns,
  type RaiseLateReturn,
} from '../../src/modules/payments/alarm-late-returns.ts';
import {
  finalisePayments,
  type FinaliseDeps,
} from '../../src/modules/payments/finalise-payments.ts';
import type { FinalityActivities } from '../types.ts';

export interface FinalityDeps extends FinaliseDeps {
  readonly raiseLateReturn: RaiseLateReturn;
}

/** What happens to payments once they are delivered. Each may run twice, or at the same time as itself. */
export function createFinalityActivities(deps: FinalityDeps): FinalityActivities {
  return {
    async finalisePayments(environment) {
      // First: a payment that cannot become final must not silence what came back.
      await alarmLateReturns(deps, environment);
      await finalisePayments(deps, environment);
    },
  };
}
