import { privateKeyToAddress, sign } from 'viem/accounts';
import { bytesToHex, hexToBigInt } from 'viem/utils';
import { transactionHash } from '../../../domain/onchain/transaction.ts';
import type { KeyStore } from './key-store.ts';

/** The address of a private key of 32 bytes, in EIP-55's mixed case. Throws for what is no key. */
export function addressOfKey(key: Uint8Array): string {
  return privateKeyToAddress(bytesToHex(key));
}

/** Signs in this process, with the nonce of RFC 6979: the same bytes give the same signature. */
export function createLocalKeyStore(key: Uint8Array): KeyStore {
  const privateKey = bytesToHex(key);
  return {
    async sign(unsigned) {
      const { r, s, yParity } = await sign({ hash: transactionHash(unsigned), privateKey });
      return { r: hexToBigInt(r), s: hexToBigInt(s), yParity: yParity === 1 ? 1 : 0 };
    },
  };
}
