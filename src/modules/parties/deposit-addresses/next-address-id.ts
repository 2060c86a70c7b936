import type { ScopedTransaction } from '../../../db/client/database.ts';
import { findDepositAddress } from '../../../db/parties/deposit-address-store.ts';
import { idOfHash } from '../../../db/client/new-id.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import type { Scope } from '../../../domain/scope.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { DepositAddressOrder } from './deposit-address-order.ts';

/**
 * The id of the next address of an order, and so the address. It is made of what the customer repeats: the order, its
 * Idempotency-Key, or null without one, and how many such there are. A restored database that has lost an address
 * gives the same one out for the same request; of several equal ones, all of them again, one a request. The caller
 * holds the lock of new addresses.
 */
export async function nextAddressId(
  vault: KeyedHashes,
  tx: ScopedTransaction,
  scope: Scope,
  { endUserId, bankAccountId, walletId, minAmount }: DepositAddressOrder,
  idempotencyKey: string | null,
): Promise<string> {
  const { customerId, environment } = scope;
  // No key is empty, and none of the parts holds a NUL: they cannot run into each other.
  const ids = [endUserId ?? '', bankAccountId ?? '', walletId ?? ''];
  const parts = [customerId, environment, idempotencyKey ?? '', ...ids, minAmount];
  const idAt = (number: number): string => {
    const text = [...parts, number].join('\0');
    return idOfHash(ID_PREFIXES.depositAddress, vault.steadyHash('deposit-address', text));
  };
  const isTaken = async (number: number): Promise<boolean> =>
    (await findDepositAddress(tx, scope, idAt(number))) !== null;
  // None is ever deleted, so that all before a free one are taken: doubled until past the last, and halved to it.
  let [taken, free] = [-1, 0];
  while (await isTaken(free)) [taken, free] = [free, 2 * free + 1];
  while (free - taken > 1) {
    const middle = Math.floor((taken + free) / 2);
    if (await isTaken(middle)) taken = middle;
    else free = middle;
  }
  return idAt(free);
}
