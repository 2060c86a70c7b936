import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Assertion } from '../../src/domain/approvals/operator-keys.ts';

/** How an assertion differs from what an operator makes in the console. */
export interface OddAssertion {
  readonly origin?: string;
  readonly type?: string;
  /** 0x01: the user is there; 0x04: the user is verified (WebAuthn level 2, section 6.1). */
  readonly flags?: number;
}

/** An authenticator with one passkey of a site, which signs whatever it is given. */
export function createTestAuthenticator(site: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(16);
  return {
    credentialId,
    /** A COSE key for ES256 (RFC 9053, section 7.1.1). */
    publicKey: Buffer.concat([
      ...[Buffer.from('a5010203262001215820', 'hex'), Buffer.from(x, 'base64url')],
      ...[Buffer.from('225820', 'hex'), Buffer.from(y, 'base64url')],
    ]),
    assert(challenge: string, odd: OddAssertion = {}): Assertion {
      const { origin = site, type = 'webauthn.get', flags = 0x05 } = odd;
      const rpId = createHash('sha256').update(new URL(origin).hostname).digest();
      const authenticatorData = Buffer.concat([rpId, Buffer.from([flags, 0, 0, 0, 1])]);
      const clientData = Buffer.from(JSON.stringify({ type, challenge, origin }));
      const hash = createHash('sha256').update(clientData).digest();
      const signature = sign('sha256', Buffer.concat([authenticatorData, hash]), privateKey);
      return { credentialId, authenticatorData, clientData, signature };
    },
  };
}

export type TestAuthenticator = ReturnType<typeof createTestAuthenticator>;

/** An Ed25519 key in a file, which signs documents as OpenSSL does. */
export function createTestFileKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const der = publicKey.export({ format: 'der', type: 'spki' });
  return {
    credentialId: createHash('sha256').update(der).digest(),
    /** As the operator keys file names it. */
    publicKey: der.toString('base64'),
    sign: (document: string): Buffer => sign(null, Buffer.from(document), privateKey),
  };
}
