import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';

export const SECRET_PREFIX = 'whsec_';

export type RawBody = string | Uint8Array;
/** What a signature covers, as it is sent. */
export type SignedContent = readonly [id: string, timestamp: string, body: RawBody];

/** Signs with one secret, which is read once. */
export type HmacSigner = (...content: SignedContent) => Buffer;

/** HMAC-SHA256 over `id.timestamp.body`. Throws RangeError when the secret is not base64. */
export function createHmacSigner(secret: string): HmacSigner {
  const key = readSecret(secret);
  return (id, timestamp, body) => {
    const hmac = createHmac('sha256', key);
    const head = `${id}.${timestamp}.`;
    // One update costs a third less than two.
    if (typeof body === 'string') hmac.update(head + body);
    else hmac.update(head).update(body);
    return hmac.digest();
  };
}

/** Whether one of the signatures (base64) is by one of the secrets. Throws as `createHmacSigner`. */
export function matchesHmac(
  secrets: readonly string[],
  signatures: readonly string[],
  content: SignedContent,
): boolean {
  const expected = secrets.map((secret) => createHmacSigner(secret)(...content));
  const candidates = signatures.flatMap(readSignature);
  // Every pair is compared, so that the time taken says nothing about which secret came close.
  let matches = false;
  for (const candidate of candidates) {
    for (const one of expected) {
      if (candidate.length === one.length && timingSafeEqual(candidate, one)) matches = true;
    }
  }
  return matches;
}

/** Its bytes in the one spelling that they have: Buffer.from passes over what follows the padding. */
function readSignature(text: string): Buffer[] {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? [bytes] : [];
}

function readSecret(secret: string): KeyObject {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  // Buffer.from skips what it cannot read: a wrong secret would become a short or empty key.
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw new RangeError('a webhook secret is "whsec_" followed by base64');
  }
  return createSecretKey(text, 'base64');
}
