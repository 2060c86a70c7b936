/** A signature over secp256k1 as a key store gives it: any s, and nothing about the parity is believed. */
export interface RawSignature {
  readonly r: bigint;
  readonly s: bigint;
  /** Which parity to look at first, where the key store says one: a guess spares half of the work, and decides nothing. */
  readonly yParity?: 0 | 1;
}

/**
 * Holds one key, or speaks to what holds it. Is asked only for what the policy let through, and its
 * answer is believed only if it recovers to the signer account's address.
 */
export interface KeyStore {
  /**
   * Signs keccak-256 of the bytes. Throws SignerSilent where there was no answer, or a refusal that may
   * be mended; SigningRefused where the answer is no signature.
   */
  sign(unsigned: Uint8Array): Promise<RawSignature>;
}
