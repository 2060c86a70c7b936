import { freezeSignerAccount } from '../../db/onchain/signer-account-store.ts';
import {
  storeSigned,
  voidNonce,
  type NewSignature,
  type NonceKey,
} from '../../db/onchain/chain-nonce-store.ts';
import type { TransactionKind } from '../../domain/onchain/next-chain-step.ts';
import {
  SignerSilent,
  SigningRefused,
  type SignedTransaction,
} from '../../domain/onchain/signer.ts';
import type { SigningRefusal } from '../../domain/onchain/signing-policy.ts';
import { decodeSigned, encodeUnsigned, transactionHash } from '../../domain/onchain/transaction.ts';
import type { ChainDeps, PollCycle } from './chain-deps.ts';

/** A transaction that is committed and not signed. */
export interface ToSign {
  readonly key: NonceKey;
  readonly number: number;
  readonly kind: TransactionKind;
  readonly unsigned: Uint8Array;
}

/**
 * Has committed transactions of one signer account signed with no database transaction open, stores them together, and
 * sends them. Whatever was signed and not stored was not sent, so to be killed anywhere in between costs nothing.
 * Answers the nonces of those that were sent: the others were not signed, or must not be sent any more. The nonce of a
 * payment whose wallet was rejected or disabled since is to be used up.
 */
export async function signAndSend(
  deps: ChainDeps,
  { heads }: PollCycle,
  made: readonly ToSign[],
): Promise<ReadonlySet<bigint>> {
  const [first] = made;
  if (first === undefined) return new Set();
  const signed = (await Promise.all(made.map((one) => sign(deps, one)))).filter(
    (one) => one !== null,
  );
  if (signed.length === 0) return new Set();
  const at = { now: deps.clock.now(), head: heads.latest.number };
  const { key } = first;
  const { stored, inactive } = await deps.db.system(async (tx) => {
    const kept = await storeSigned(tx, key, signed, at);
    for (const nonce of kept.inactive) {
      await voidNonce(tx, { ...key, nonce }, 'SIGNING_REFUSED', at.now);
    }
    return kept;
  });
  if (inactive.length > 0) {
    deps.alarm({ kind: 'SIGNING_REFUSED', address: key.address, why: 'WALLET_NOT_ACTIVE' });
  }
  const sent = signed.filter(({ nonce }) => stored.has(nonce));
  await deps.nodes.broadcast(sent.map(({ raw }) => raw));
  return stored;
}

/** Null where it is not signed now. */
async function sign(deps: ChainDeps, made: ToSign): Promise<NewSignature | null> {
  const signer = deps.signerOf(made.key.address);
  if (signer === null) return sayUnsigned(deps, made.key);
  try {
    const signed = await signer.sign(made.unsigned);
    if (isOfWhatWasAsked(signed, made.unsigned)) {
      return { ...signed, nonce: made.key.nonce, number: made.number, kind: made.kind };
    }
    await refuse(deps, made, 'OTHER_BYTES');
  } catch (error) {
    if (error instanceof SigningRefused) await refuse(deps, made, error.why);
    else if (!(error instanceof SignerSilent)) throw error;
    else return sayUnsigned(deps, made.key);
  }
  return null;
}

/** Calls a human: a nonce that is taken has nothing signed. */
export function sayUnsigned({ alarm }: ChainDeps, { address, nonce }: NonceKey): null {
  alarm({ kind: 'NOT_SIGNED', address, nonce: nonce.toString() });
  return null;
}

/** What is wrong with the transfer itself: it is refused whenever it is asked for. */
const WRONG_TRANSFER: ReadonlySet<string> = new Set<SigningRefusal>([
  'UNKNOWN_TOKEN',
  'BAD_RECIPIENT',
  'AMOUNT_OVER_CAP',
]);

/**
 * A nonce whose transfer is wrong is used up by a void, and so is any that a sweep is refused for: it is
 * planned anew, and must not hold up payments. Whatever else a signer refuses a transfer for may pass,
 * or is a human's to mend: the same bytes are asked for at the next poll cycle, and nothing is put behind them. A
 * signer account whose void is refused stands still.
 */
async function refuse(deps: ChainDeps, { key, kind }: ToSign, why: string): Promise<void> {
  const { db, clock, alarm } = deps;
  const { address } = key;
  alarm({ kind: 'SIGNING_REFUSED', address, why });
  if (kind === 'TRANSFER' && !WRONG_TRANSFER.has(why)) return;
  await db.system(async (tx) => {
    if (kind !== 'VOID') await voidNonce(tx, key, 'SIGNING_REFUSED', clock.now());
    else await freezeSignerAccount(tx, key, 'SIGNING_REFUSED', clock.now());
  });
}

function isOfWhatWasAsked({ raw, hash }: SignedTransaction, unsigned: Uint8Array): boolean {
  const read = decodeSigned(raw);
  if (read === null || transactionHash(raw) !== hash) return false;
  return Buffer.from(encodeUnsigned(read.transaction)).equals(unsigned);
}
