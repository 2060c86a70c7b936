import type { ScopedTransaction } from '../../../db/client/database.ts';
import { recordEvent } from '../../../db/webhooks/event-store.ts';
import { lockWallet, moveWallet, type WalletRow } from '../../../db/parties/wallet-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import type { RequireVersion } from '../../../domain/require-version.ts';
import type { Scope } from '../../../domain/scope.ts';
import { supersedeReview } from './review-finding.ts';
import { walletEvent } from './wallet-view.ts';

/**
 * Disables a wallet for good: no payment to it is accepted, and one that waits to be sent goes on hold. A
 * second time changes nothing. Refuses with not_found, and as `requireVersion` does.
 */
export async function disableWallet(
  { clock }: { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  requireVersion: RequireVersion,
): Promise<WalletRow> {
  const row = requireFound(await lockWallet(tx, scope, id));
  if (row.status === 'DISABLED') return row;
  requireVersion(row.version);
  const at = clock.now();
  await supersedeReview(tx, scope, row, at);
  const disabled = await moveWallet(tx, scope, row, { status: 'DISABLED' }, at);
  await recordEvent(tx, scope, walletEvent('wallet.disabled', disabled), at);
  return disabled;
}
