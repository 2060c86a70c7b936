import {
  findSignerAccount,
  freezeSignerAccount,
  keepSuspicion,
  openSignerAccount,
  openSignerAccountAfterRestore,
  wasEverRestored,
  type SignerAccountKey,
  type SignerAccountRow,
} from '../../db/onchain/signer-account-store.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';

/**
 * A signer account and the address's next nonce at the newest block. A new one is opened with the nonce that the
 * chain gives, once nothing of the address is younger than the final block; null until then. Where the
 * database was restored, a new one is frozen, and a known one is until operators have thawed it since.
 */
export async function readSignerAccountOnChain(
  deps: ChainDeps,
  { heads, now }: PollCycle,
  address: string,
): Promise<{ readonly signerAccount: SignerAccountRow; readonly nextOnChain: bigint } | null> {
  const { db, nodes, place } = deps;
  const key: SignerAccountKey = { ...place, address };
  const nextOnChain = await nodes.nonceAt(address, heads.latest);
  const { known, wasRestored } = await db.system(async (tx) => ({
    known: await findSignerAccount(tx, key),
    wasRestored: await wasEverRestored(tx),
  }));
  if (known?.isRestored === true) await freeze(deps, key, 'RESTORED');
  if (known === null) {
    // What was sent before the restore is learnt from the chain.
    if (wasRestored) await db.system((tx) => openSignerAccountAfterRestore(tx, key, now));
    else if ((await nodes.nonceAt(address, heads.final)) !== nextOnChain) return null;
    else await db.system((tx) => openSignerAccount(tx, key, nextOnChain, now));
  }
  const signerAccount = await db.system((tx) => findSignerAccount(tx, key));
  return signerAccount === null ? null : { signerAccount, nextOnChain };
}

/** What a poll cycle found that must not be: another's transaction at a nonce of ours, or one beyond ours. */
export interface Suspicion {
  readonly found: string | null;
  /** Not every nonce could be read: what was found before is not refuted. */
  readonly isUnclear: boolean;
}

/**
 * One poll cycle may meet a node that lies or lags; what two of them find in turn freezes the signer account. Answers
 * whether anything is found, or was and is not refuted.
 */
export async function judgeSuspicion(
  deps: ChainDeps,
  signerAccount: SignerAccountRow,
  { found, isUnclear }: Suspicion,
): Promise<boolean> {
  const { db, clock } = deps;
  if (found === null && isUnclear) return signerAccount.suspicion !== null;
  if (found !== null && found === signerAccount.suspicion) {
    await freeze(deps, signerAccount, found.replace(/:.*$/, ''));
  } else if (found !== signerAccount.suspicion) {
    await db.system((tx) => keepSuspicion(tx, signerAccount, found, clock.now()));
  }
  return found !== null;
}

/** Freezes a signer account, and calls a human where it was not frozen. */
export async function freeze(
  { db, clock, alarm }: ChainDeps,
  key: SignerAccountKey,
  why: string,
): Promise<void> {
  const isNew = await db.system((tx) => freezeSignerAccount(tx, key, why, clock.now()));
  if (isNew) alarm({ kind: 'SIGNER_ACCOUNT_FROZEN', address: key.address, why });
}
