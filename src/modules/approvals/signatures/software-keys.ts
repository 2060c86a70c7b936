import { createHash, createPrivateKey, createECDH, sign } from 'node:crypto';
import type { Assertion } from '../../../domain/approvals/operator-keys.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { OperatorKeys } from '../../../domain/approvals/operator-keys.ts';

/** Of no console in a browser: an authenticator signs for none of it. */
const ORIGIN = 'https://software-keys.invalid';
const CREDENTIAL = 'software-key:';

/** User present and user verified (WebAuthn level 2, section 6.1): the console has asked for a proof. */
const FLAGS = 0x05;

/**
 * Keys for a local run: each operator's is made of the pepper, and the console signs with it once the operator has proven
 * who they are. Whoever has the database alone has none of them.
 */
export function createSoftwareKeys(vault: KeyedHashes): OperatorKeys {
  const rpIdHash = createHash('sha256').update(new URL(ORIGIN).hostname).digest();
  const authenticatorData = Buffer.concat([rpIdHash, Buffer.from([FLAGS]), Buffer.alloc(4)]);
  return {
    version: 1,
    origin: ORIGIN,
    find(operatorId, credentialId) {
      if (!credentialId.equals(credentialOf(operatorId))) return null;
      const publicKey = coseKey(pointOf(vault, operatorId).point);
      return { kind: 'PASSKEY', publicKey, role: null };
    },
    fileKeysOf: () => [],
    isFromBefore: () => false,
    sign(operatorId, challenge): Assertion {
      const clientData = Buffer.from(
        JSON.stringify({ type: 'webauthn.get', challenge, origin: ORIGIN, crossOrigin: false }),
      );
      const hash = createHash('sha256').update(clientData).digest();
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, hash]),
        privateKeyOf(vault, operatorId),
      );
      return { credentialId: credentialOf(operatorId), authenticatorData, clientData, signature };
    },
  };
}

const credentialOf = (operatorId: string): Buffer => Buffer.from(`${CREDENTIAL}${operatorId}`);

function pointOf(vault: KeyedHashes, operatorId: string) {
  const secret = vault.steadyHash('operator-software-key', operatorId);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(secret);
  return { secret, point: pair.getPublicKey() };
}

function privateKeyOf(vault: KeyedHashes, operatorId: string) {
  const { secret, point } = pointOf(vault, operatorId);
  const part = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: part(1), y: part(33), d: secret.toString('base64url') };
  return createPrivateKey({ key: jwk, format: 'jwk' });
}

/** An uncompressed point of P-256 as a COSE key for ES256 (RFC 9053, section 7.1.1). */
const coseKey = (point: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    point.subarray(1, 33),
    Buffer.from('225820', 'hex'),
    point.subarray(33, 65),
  ]);
