import type { ScopedTransaction } from '../../../db/client/database.ts';
import {
  disableAddressesOf,
  disableDepositAddress as disable,
  lockDepositAddress,
  type DepositAddressRow,
} from '../../../db/parties/deposit-address-store.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import type { RequireVersion } from '../../../domain/require-version.ts';
import type { Scope } from '../../../domain/scope.ts';
import { depositAddressEvent } from './deposit-address-view.ts';

/**
 * Disables a deposit address for good: what still comes stays in the balance, for no sender can be stopped. A
 * second time changes nothing. Refuses with not_found, and as `requireVersion` does.
 */
export async function disableDepositAddress(
  { clock }: { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  requireVersion: RequireVersion,
): Promise<DepositAddressRow> {
  const row = requireFound(await lockDepositAddress(tx, scope, id));
  if (row.status === 'DISABLED') return row;
  requireVersion(row.version);
  const at = clock.now();
  const disabled = await disable(tx, scope, id, at);
  await recordEvent(tx, scope, depositAddressEvent('deposit_address.disabled', disabled), at);
  return disabled;
}

/** Disables what addresses an end-user has who is erased. The caller holds the end-user's lock. */
export async function disableErasedAddresses(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
  at: Date,
): Promise<void> {
  for (const row of await disableAddressesOf(tx, scope, endUserId, at)) {
    await recordEvent(tx, scope, depositAddressEvent('deposit_address.disabled', row), at);
  }
}
