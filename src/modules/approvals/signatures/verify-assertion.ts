import type { KeySignature } from '../../../domain/approvals/operator-keys.ts';

/** What an assertion is to be of: a key, a challenge in base64url, and an origin. */
interface Expected {
  readonly publicKey: Buffer;
  readonly challenge: string;
  readonly origin: string;
}

/**
 * Whether an assertion is one of that key, for that challenge, made on that origin by an authenticator that verified its
 * user (WebAuthn level 2, section 7.2). The counter is not judged: that was done when the assertion came.
 */
export async function isAssertionOf(
  { credentialId, authenticatorData, clientData, signature }: KeySignature,
  { publicKey, challenge, origin }: Expected,
): Promise<boolean> {
  if (authenticatorData === null) return false;
  // Loaded where a signature is read, which in most processes is seldom.
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const id = credentialId.toString('base64url');
  const verified = await verifyAuthenticationResponse({
    response: {
      ...{ id, rawId: id, type: 'public-key', clientExtensionResults: {} },
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
      },
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
    credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
  }).catch(() => null);
  return verified?.verified === true;
}
