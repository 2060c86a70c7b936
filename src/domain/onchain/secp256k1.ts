/** The order of secp256k1 (SEC 2, 2.4.1). */
export const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A higher s is the same signature written a second way (EIP-2). */
export const LOW_S_MAX = CURVE_ORDER / 2n;
