import {
  insertReleaseStop,
  resumeReleaseStops,
  type ReleaseFilter,
} from '../../../src/db/operations/release-stop-store.ts';
import type { PaymentHarness } from '../payment-harness.ts';

/** A stop of everything. */
export const ALL: ReleaseFilter = { environment: null, rail: null, customerId: null };

/** An act of an operator, as of the harness's clock. */
export const operatorAct = ({ clock }: Pick<PaymentHarness, 'clock'>) => ({
  actor: { kind: 'OPERATOR', name: 'ada' } as const,
  at: clock.now(),
  reason: 'sample',
});

type Stopped = Pick<PaymentHarness, 'clock' | 'database'>;

/** Stops the release of every payment, unless a filter says which. */
export const stopRelease = (harness: Stopped, filter = ALL): Promise<unknown> =>
  harness.database.db.system((tx) => insertReleaseStop(tx, filter, operatorAct(harness)));

export const resumeRelease = (harness: Stopped, filter = ALL): Promise<unknown> =>
  harness.database.db.system((tx) => resumeReleaseStops(tx, filter, operatorAct(harness)));
