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
  { r, s, yParity: guess = 0 }: RawSignature,
  address: string,
): Promise<SignedTransaction> {
  if (r <= 0n || r >= CURVE_ORDER || s <= 0n || s >= CURVE_ORDER)
    throw new SigningRefused('BAD_SIGNATURE');
  const unsigned = encodeUnsigned(transaction);
  const hash = transactionHash(unsigned);
  const isHigh = s > LOW_S_MAX;
  const low = isHigh ? CURVE_ORDER - s : s;
  // The other s has the other parity.
  const likely = isHigh === (guess === 0) ? 1 : 0;
  const halves = { r: toHex(r, { size: 32 }), s: toHex(low, { size: 32 }) };
  for (const yParity of likely === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
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
