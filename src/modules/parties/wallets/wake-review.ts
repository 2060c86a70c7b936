import type { Database } from '../../../db/client/database.ts';
import type { WalletReviewRow } from '../../../db/parties/wallet-review-store.ts';
import type { WorkflowClient } from '../../../domain/workflows/workflow-client.ts';
import { wakePaymentsOf } from '../screening/wake-payments-of.ts';

/** Wakes the payments to a wallet whose review was decided; a sentence for the operator says how many. */
export async function wakeReview(
  deps: { readonly db: Database; readonly workflows: Pick<WorkflowClient, 'wakePayment'> },
  { customerId, environment, walletId }: WalletReviewRow,
): Promise<string> {
  const scope = { customerId, environment };
  const woken = await wakePaymentsOf(deps, scope, { kind: 'WALLET', id: walletId });
  return `Payments woken: ${String(woken)}. The others check again by themselves (HOLD_CHECK_MS).`;
}
