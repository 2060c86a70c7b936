import type { Database } from '../../db/client/database.ts';
import {
  listStoppedPayments,
  type ReleaseFilter,
  type StoppedPayment,
} from '../../db/operations/release-stop-store.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';

/** Payments woken at the same time, and read at once. */
const PAGE = 20;

export interface WakeCount {
  readonly woken: number;
  /** Temporal did not take every wake: those payments look again by themselves. */
  readonly isComplete: boolean;
}

/**
 * Wakes the payments that a stop holds back and the filter names; one that another stop still holds
 * back goes on waiting. Ends early where Temporal takes none of a page.
 */
export async function wakeStoppedPayments(
  deps: { readonly db: Database; readonly workflows: Pick<WorkflowClient, 'wakePayment'> },
  filter: ReleaseFilter,
  onProgress: (woken: number) => void,
): Promise<WakeCount> {
  const wake = ({ id, workflowId, customerId, environment }: StoppedPayment) =>
    deps.workflows.wakePayment(workflowId, { customerId, environment, paymentId: id }, 'release');
  let woken = 0;
  let isComplete = true;
  let after = '';
  for (;;) {
    const from = after;
    const page = await deps.db.system((tx) => listStoppedPayments(tx, filter, from, PAGE));
    const results = await Promise.allSettled(page.map(wake));
    const taken = results.filter(({ status }) => status === 'fulfilled').length;
    woken += taken;
    isComplete &&= taken === page.length;
    onProgress(woken);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE || taken === 0) return { woken, isComplete };
    after = last.id;
  }
}
