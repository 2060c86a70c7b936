import { recoverAddress, toHex } from 'viem/utils';
import { CURVE_ORDER, LOW_S_MAX } from '../../../domain/onchain/secp256k1.ts';
import { SigningRefused, type SignedTransaction } from '../../../domain/onchain/signer.ts';
import {
  decodeSigned,
  encodeSigned,
  encodeUnsigned,
  transactionHash,
  type ChainTransaction,
} from '../../../domain/onchain/transaction.ts';
import type { RawSignature } from './key-store.ts';

/**
 * The signed transaction of what a key store answered: low s as EIP-2 wants it, the parity by which the address is
 * recovered, and all of it read again. Throws SigningRefused for what is no signature by the address.
 */
export async function completeSignature(
  transaction: ChainTransaction,
  { r, s }: RawSignature,
  address: string,
): Promise<SignedTransaction> {
  if (r <= 0n || r >= CURVE_ORDER || s <= 0n || s >= CURVE_ORDER)
    throw new SigningRefused('BAD_SIGNATURE');
  const unsigned = encodeUnsigned(transaction);
  const hash = transactionHash(unsigned);
  const low = s > LOW_S_MAX ? CURVE_ORDER - s : s;
  const halves = { r: toHex(r, { size: 32 }), s: toHex(low, { size: 32 }) };
  for (const yParity of [0, 1] as const) {
    const signature = { ...halves, yParity };
    if ((await recover(hash, signature)) !== address) continue;
    const raw = encodeSigned(transaction, signature);
    const again = decodeSigned(raw);
    if (again === null) break;
    if (transactionHash(encodeUnsigned(again.transaction)) !== hash) break;
    return { raw, hash: transactionHash(raw) };
  }
  throw new SigningRefused('BAD_SIGNATURE');
}

/** Null where no point of the curve fits. */
const recover = (
  hash: `0x${string}`,
  signature: { readonly r: `0x${string}`; readonly s: `0x${string}`; readonly yParity: 0 | 1 },
): Promise<string | null> => recoverAddress({ hash, signature }).catch(() => null);
