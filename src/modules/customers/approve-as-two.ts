import { decideApproval } from '../approvals/decide-approval.ts';
import { withinTransaction } from '../approvals/within-transaction.ts';
import type { SystemTransaction } from '../../db/client/database.ts';
import { listKeyAddresses } from '../../db/customers/key-address-store.ts';
import { softwareSigner } from '../approvals/signatures/decision-signer.ts';
import type { OperatorKeys } from '../../domain/approvals/operator-keys.ts';
import type { Scope } from '../../domain/scope.ts';
import { approveAddress, proposeAddress } from './decide-address.ts';
import type { KeyDeps } from './key-mails.ts';

/** More than a key has, see `listAddress`. */
const ADDRESSES_MAX = 100;

/** Two operators of a local run, and the keys that they sign with. */
interface TwoApprovers {
  readonly first: string;
  readonly second: string;
  readonly reason: string;
  readonly operatorKeys: OperatorKeys;
}

/**
 * Approves every address of a key that waits, as two operators do it: the one proposes, the other approves.
 * For seeds of local runs and tests; the database refuses one operator twice, and who is none.
 */
export async function approveAddressesAsTwo(
  deps: KeyDeps,
  tx: SystemTransaction,
  scope: Scope,
  apiKeyId: string,
  { first, second, reason, operatorKeys }: TwoApprovers,
): Promise<void> {
  const signer = softwareSigner(operatorKeys) ?? undefined;
  for (const { id, status } of await listKeyAddresses(tx, scope, apiKeyId, ADDRESSES_MAX)) {
    if (status !== 'PENDING') continue;
    const approvalId = await proposeAddress(deps, tx, id, { operator: first, reason, signer });
    if (approvalId === null) throw new Error(`a proposal about ${id} waits already`);
    const deciding = { db: withinTransaction(tx), clock: deps.clock, operatorKeys };
    const act = { operator: second, reason, signer };
    await approveAddress(deps, tx, await decideApproval(deciding, approvalId, 'APPROVED', act));
  }
}
