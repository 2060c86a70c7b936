/** A key that a receiver verifies an endpoint's webhooks with, as it is stored and shown. */
export interface WebhookPublicKey {
  /** `whpk_` and the base64 of its 32 bytes. */
  readonly publicKey: string;
  /** ISO 8601; null where no one has said when it ends. */
  readonly expiresAt: string | null;
}

/** Those of a list that hold at a time, in its order. A key does not hold any more at its very end. */
export function keysInForce<Key extends Pick<WebhookPublicKey, 'expiresAt'>>(
  keys: readonly Key[],
  now: Date,
): Key[] {
  return keys.filter(
    ({ expiresAt }) => expiresAt === null || now.getTime() < Date.parse(expiresAt),
  );
}
