import { lockSignerAccount } from '../../db/onchain/signer-account-store.ts';
import { lockNonce, saveNonce, type NonceRow } from '../../db/onchain/chain-nonce-store.ts';
import {
  lockTransfer,
  saveTransfer,
  type ChainTransferRow,
} from '../../db/onchain/chain-transfer-store.ts';
import { mayChainHavePaid } from '../../db/onchain/foreign-transaction-store.ts';
import type { SystemTransaction } from '../../db/client/database.ts';
import type { VoidWhy } from '../../domain/onchain/next-chain-step.ts';
import type { ChainDeps } from './chain-deps.ts';

/** A nonce that is locked and ends without its transfer; null where it carries none. */
interface ReleasedNonce {
  readonly transfer: ChainTransferRow | null;
  /** It was to be given up. */
  readonly voidWhy: VoidWhy | null;
}

/**
 * Locks a nonce that ends without its transfer. Null where that has to wait: it is over, it was believed until now,
 * or its funds would go back while the chain may have paid.
 */
export async function releaseNonce(
  tx: SystemTransaction,
  row: NonceRow,
  now: Date,
): Promise<ReleasedNonce | null> {
  const held = await lockNonce(tx, row);
  if (held === null) return null;
  const { reference } = row;
  const transfer = reference === null ? null : await lockTransfer(tx, reference);
  if (held.state === 'SETTLED') {
    await saveNonce(tx, row, { state: 'OPEN', mined: null }, now);
    if (transfer !== null) await saveTransfer(tx, { ...transfer, state: 'CARRIED' }, now);
    return null;
  }
  const { voidWhy } = held;
  const isGivenBack = voidWhy !== null && transfer !== null;
  if (isGivenBack && (await mayChainHavePaid(tx, transfer, transfer.reference))) return null;
  return { transfer, voidWhy };
}

/** What the nonce carried waits for another one, or is given up where that was asked for. */
export async function endCarried(
  tx: SystemTransaction,
  { transfer, voidWhy }: ReleasedNonce,
  now: Date,
): Promise<void> {
  if (transfer === null) return;
  const end = { ...transfer, hold: null, reason: voidWhy };
  await saveTransfer(tx, { ...end, state: voidWhy === null ? 'WAITING' : 'REJECTED' }, now);
}

/**
 * Ends a nonce of an address that is given up for ever, of which nothing was ever signed: no one can mine it, so what
 * it carried waits for another one. The database refuses that of any other nonce.
 */
export async function freeUnsigned({ db, clock }: ChainDeps, row: NonceRow): Promise<void> {
  await db.system(async (tx) => {
    const signerAccount = await lockSignerAccount(tx, row);
    if (signerAccount?.status !== 'RETIRED') return;
    const now = clock.now();
    const carried = await releaseNonce(tx, row, now);
    if (carried === null) return;
    await saveNonce(tx, row, { state: 'REJECTED', mined: null }, now);
    await endCarried(tx, carried, now);
  });
}
