/** What a signer gives for the unsigned bytes of a transaction. */
export interface SignedTransaction {
  /** The whole signed transaction (EIP-2718 envelope). */
  readonly raw: Uint8Array;
  /** 0x and 64 lower-case hex digits: keccak-256 of `raw`. */
  readonly hash: string;
}

/** What a signer would sign for of an asset; nothing of one that it does not know. Minor units. */
export interface SignerRoom {
  /** One transfer at the most. */
  readonly transactionMax: bigint;
  /** All transfers of the network within an hour at the most. */
  readonly hourMax: bigint;
  /** What is left of the hour now. */
  readonly hourLeft: bigint;
}

/** Signs for one hot address. The API process holds none. */
export interface Signer {
  /** In EIP-55's mixed case. */
  readonly address: string;
  /**
   * Signs an unsigned EIP-1559 transaction, after its own policy has read it. Throws SigningRefused for
   * what the policy does not let through, and SignerSilent where the key store does not answer.
   */
  sign(unsigned: Uint8Array): Promise<SignedTransaction>;
  /** What it would sign for of an asset. A signer without it has no such caps. */
  room?(asset: string): Promise<SignerRoom>;
}

/**
 * The policy refused; nothing was signed. `why` is one of SIGNING_REFUSALS (signing-policy.ts); asking
 * again helps for HOUR_OVER_CAP alone, once what was signed for is an hour old.
 */
export class SigningRefused extends Error {
  override readonly name = 'SigningRefused';
  readonly why: string;

  constructor(why: string) {
    super(`signing was refused: ${why}`);
    this.why = why;
  }
}

/** The key store did not answer; asking again is safe, since what is not stored is not sent. */
export class SignerSilent extends Error {
  override readonly name = 'SignerSilent';
}
