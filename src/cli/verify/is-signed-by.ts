import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import type { Assertion } from '../../domain/approvals/operator-keys.ts';

interface Expected {
  /** A COSE key (RFC 9052, section 7). */
  readonly publicKey: Buffer;
  /** What was signed; its SHA-256 is the challenge. */
  readonly text: string;
  readonly origin: string;
}

/** User present and user verified (WebAuthn level 2, section 6.1). */
const FLAGS = 0x05;

/**
 * Whether an authenticator with that key signed the text on that origin (WebAuthn level 2, section 7.2). Written apart from
 * the code that takes signatures in.
 */
export function isSignedBy(assertion: Assertion, { publicKey, text, origin }: Expected): boolean {
  const { authenticatorData, clientData, signature } = assertion;
  try {
    const client = JSON.parse(clientData.toString('utf8')) as Readonly<Record<string, unknown>>;
    const challenge = createHash('sha256').update(text).digest('base64url');
    const site = createHash('sha256').update(new URL(origin).hostname).digest();
    const isOfIt =
      client['type'] === 'webauthn.get' &&
      client['challenge'] === challenge &&
      client['origin'] === origin &&
      authenticatorData.subarray(0, 32).equals(site) &&
      ((authenticatorData[32] ?? 0) & FLAGS) === FLAGS;
    if (!isOfIt) return false;
    const { jwk, digest } = keyOf(publicKey);
    const signed = Buffer.concat([
      authenticatorData,
      createHash('sha256').update(clientData).digest(),
    ]);
    return verify(digest, signed, createPublicKey({ key: jwk, format: 'jwk' }), signature);
  } catch {
    return false;
  }
}

/** What stands before the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410, section 10.1). */
const ED25519 = '302a300506032b6570032100';

/** Whether the file key signed the document (RFC 8032, section 5.1.7). */
export function isSignedByFile(signature: Buffer, publicKey: Buffer, document: string): boolean {
  const hex = publicKey.toString('hex');
  if (!hex.startsWith(ED25519) || publicKey.length !== 44) return false;
  const x = publicKey.subarray(12).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(document, 'utf8'), key, signature);
}

/** Parameters of COSE keys (RFC 9053, section 7; RFC 8230, section 4). */
const [ALGORITHM, FIRST, SECOND, THIRD] = [3, -1, -2, -3];
const [ES256, EDDSA, RS256] = [-7, -8, -257];

/** The key for Node, and the digest that its algorithm takes. Throws for algorithms that passkeys here never have. */
function keyOf(cose: Buffer): { readonly jwk: JsonWebKey; readonly digest: string | null } {
  const key = readMap(cose);
  const part = (label: number): string => {
    const value = key.get(label);
    if (!Buffer.isBuffer(value)) throw new Error('a part of the key is missing');
    return value.toString('base64url');
  };
  switch (key.get(ALGORITHM)) {
    case ES256:
      return {
        jwk: { kty: 'EC', crv: 'P-256', x: part(SECOND), y: part(THIRD) },
        digest: 'sha256',
      };
    case EDDSA:
      return { jwk: { kty: 'OKP', crv: 'Ed25519', x: part(SECOND) }, digest: null };
    case RS256:
      return { jwk: { kty: 'RSA', n: part(FIRST), e: part(SECOND) }, digest: 'sha256' };
    default:
      throw new Error('the algorithm is unknown');
  }
}

/** A CBOR map of whole numbers and byte strings by whole numbers (RFC 8949, section 3). Throws for anything else. */
function readMap(bytes: Buffer): ReadonlyMap<number, number | Buffer> {
  let at = 0;
  const head = (): readonly [major: number, value: number] => {
    const first = bytes.readUInt8(at);
    at += 1;
    const short = first & 0x1f;
    const length = [1, 2, 4][short - 24] ?? 0;
    if (short >= 24 && length === 0) throw new Error('a length is too long');
    const value = length === 0 ? short : bytes.readUIntBE(at, length);
    at += length;
    return [first >> 5, value];
  };
  const item = (): number | Buffer => {
    const [major, value] = head();
    if (major === 0) return value;
    if (major === 1) return -1 - value;
    if (major !== 2 || at + value > bytes.length) throw new Error('no number and no bytes');
    at += value;
    return bytes.subarray(at - value, at);
  };
  const [major, count] = head();
  if (major !== 5) throw new Error('no map');
  const map = new Map<number, number | Buffer>();
  for (let nr = 0; nr < count; nr += 1) {
    const label = item();
    if (typeof label === 'number') map.set(label, item());
  }
  return map;
}
