import type { Database } from '../../../db/client/database.ts';
import { listUnfinishedOf, type DecidedOn } from '../../../db/parties/screening-case-store.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { WorkflowClient } from '../../../domain/workflows/workflow-client.ts';

const PAGE = 20;

/**
 * Wakes the unfinished payments of a party or to a wallet that was decided on; answers how many. One whose wake
 * gets lost looks again by itself. Ends early where Temporal takes none of a page.
 */
export async function wakePaymentsOf(
  deps: { readonly db: Database; readonly workflows: Pick<WorkflowClient, 'wakePayment'> },
  scope: Scope,
  party: DecidedOn,
): Promise<number> {
  let woken = 0;
  let after = '';
  for (;;) {
    const from = after;
    const page = await deps.db.system((tx) => listUnfinishedOf(tx, scope, party, from, PAGE));
    const results = await Promise.allSettled(
      page.map(({ id, workflowId }) =>
        deps.workflows.wakePayment(workflowId, { ...scope, paymentId: id }, 'screening'),
      ),
    );
    const taken = results.filter(({ status }) => status === 'fulfilled').length;
    woken += taken;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE || taken === 0) return woken;
    after = last.id;
  }
}
