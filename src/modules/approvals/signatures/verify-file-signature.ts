import { createPublicKey, verify } from 'node:crypto';
import type { KeySignature } from '../../../domain/approvals/operator-keys.ts';

/** What a file key is to have signed. */
interface Expected {
  /** SubjectPublicKeyInfo for Ed25519 (RFC 8410, section 4). */
  readonly publicKey: Buffer;
  readonly document: string;
}

/** Whether that file key signed the document (Ed25519, RFC 8032, section 5.1.7). An assertion of a passkey is none. */
export function isFileSignatureOf(
  { authenticatorData, signature }: KeySignature,
  { publicKey, document }: Expected,
): boolean {
  if (authenticatorData !== null) return false;
  const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(document), key, signature);
}
