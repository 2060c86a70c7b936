import type { Database } from '../../../db/client/database.ts';
import type { ScreeningCaseRow } from '../../../db/parties/screening-case-store.ts';
import type { WorkflowClient } from '../../../domain/workflows/workflow-client.ts';
import { partyOf } from './case-party.ts';
import { wakePaymentsOf } from './wake-payments-of.ts';

/** Wakes the payments that a case holds, once it is decided; a sentence for the operator says how many. */
export async function wakeCase(
  deps: { readonly db: Database; readonly workflows: Pick<WorkflowClient, 'wakePayment'> },
  row: ScreeningCaseRow,
): Promise<string> {
  const { customerId, environment } = row;
  const woken = await wakePaymentsOf(deps, { customerId, environment }, partyOf(row));
  return `Payments woken: ${String(woken)}. The others check again by themselves (HOLD_CHECK_MS).`;
}
