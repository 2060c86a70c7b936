import { hashMessage, isHex, recoverAddress } from 'viem/utils';
import { LOW_S_MAX } from './secp256k1.ts';

/** What the message of a proof is made of. */
interface ProofFacts {
  /** Who asks for the proof: the host of the API. */
  readonly host: string;
  readonly walletId: string;
  readonly network: string;
  /** In EIP-55's mixed case. */
  readonly address: string;
  readonly nonce: string;
}

const SIGNATURE = /^0x([0-9a-fA-F]{64})([0-9a-fA-F]{64})(00|01|1b|1c|1B|1C)$/;

/** The text that the owner of a wallet signs. It says who asks and what for, so that it serves nowhere else. */
export const proofMessage = ({ host, walletId, network, address, nonce }: ProofFacts): string =>
  [
    `${host} asks you to show that this wallet is yours. Signing this sends nothing and allows nothing else.`,
    '',
    `Wallet: ${walletId}`,
    `Network: ${network}`,
    `Address: ${address}`,
    `Nonce: ${nonce}`,
  ].join('\n');

/** The hash that is signed of a message: EIP-191, version 0x45 (`personal_sign`). */
export const proofHash = (message: string): `0x${string}` => hashMessage(message);

/**
 * Whether the signature of 65 bytes (r, s, v) over the hash is the address's own. False for another length, a
 * high s, and whatever recovers no key.
 */
export async function isSignedBy(
  address: string,
  hash: `0x${string}`,
  signature: string,
): Promise<boolean> {
  const parts = SIGNATURE.exec(signature);
  if (parts === null || !isHex(signature)) return false;
  if (BigInt(`0x${parts[2] ?? ''}`) > LOW_S_MAX) return false;
  try {
    return (await recoverAddress({ hash, signature })) === address;
  } catch {
    return false;
  }
}
