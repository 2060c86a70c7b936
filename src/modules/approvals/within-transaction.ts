import type { Database, SystemTransaction } from '../../db/client/database.ts';

/** Lets `proposeApproval` and `decideApproval` work in a transaction that is open already, with what else it does. */
export function withinTransaction(tx: SystemTransaction): Pick<Database, 'system'> {
  return { system: (work) => work(tx) };
}
