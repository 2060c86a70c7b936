import { mayChainHavePaid } from '../../db/onchain/foreign-transaction-store.ts';
import { mayPredateRestoreOf } from '../../db/operations/restore-mode-store.ts';
import type { LockedPayment } from './locked-payment.ts';

/**
 * Whether the database before a restore may have sent a payment of which this one knows nothing to have left. A
 * network is asked by references: what a client repeats after a restore has the ones that it had before. To be
 * certain, look after `lockReleaseShared`.
 */
export async function mayHaveLeftUnseen({
  tx,
  payment,
  attempts,
}: LockedPayment): Promise<boolean> {
  if (await mayPredateRestoreOf(tx, payment)) return true;
  const { destination, environment } = payment;
  if (destination.kind === 'BANK') return false;
  const place = { environment, network: destination.network };
  for (const { reference } of attempts) {
    if (await mayChainHavePaid(tx, place, reference)) return true;
  }
  return false;
}
