import { readDueDepositsOf } from '../../../db/onchain/deposit-exit-store.ts';
import type { ChainPlace } from '../../../domain/onchain/network.ts';
import { payOnDeposit, type PayOnDeps } from './pay-on-deposit.ts';

/** Deposits that one call pays on; those that are left come with the next one. */
const DEPOSITS_MAX = 100;

export interface PayOnDueDeps extends PayOnDeps {
  /** For the log: the deposit is still due. */
  readonly onFault: (depositId: string, error: unknown) => void;
}

/**
 * Pays on the final deposits of a network that are due, those first that became due first. One that fails keeps no other
 * from its turn: it is told to `onFault`, and the next call or the reconciler tries it again.
 */
export async function payOnDueDeposits(deps: PayOnDueDeps, place: ChainPlace): Promise<void> {
  const due = await deps.db.system((tx) => readDueDepositsOf(tx, place, DEPOSITS_MAX));
  for (const deposit of due) {
    try {
      await payOnDeposit(deps, deposit);
    } catch (error) {
      deps.onFault(deposit.depositId, error);
    }
  }
}
