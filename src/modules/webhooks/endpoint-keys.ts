import { randomBytes } from 'node:crypto';
import type { WebhookEndpointRow } from '../../db/webhooks/webhook-endpoint-store.ts';
import { keysInForce, type WebhookPublicKey } from '../../domain/webhooks/public-key.ts';
import type { Vault } from '../../vault/vault.ts';
import { newSigningKey, publicKeyOf } from '../../vault/webhook-signatures/ed25519-signature.ts';
import { openEndpointSecrets } from './endpoint-secret.ts';

/** An endpoint's Ed25519 key pairs as its row keeps them; without asymmetric signatures null and none. */
type EndpointKeyPairs = Pick<WebhookEndpointRow, 'signingKeys' | 'publicKeys'>;
type EndpointKeys = Pick<WebhookEndpointRow, 'id' | 'secret' | 'signingKeys' | 'publicKeys'>;

interface StoredSigningKey extends Pick<WebhookPublicKey, 'expiresAt'> {
  readonly signingKey: string;
}

const NO_KEY_PAIRS: EndpointKeyPairs = { signingKeys: null, publicKeys: [] };

/** A first key pair, where asymmetric signatures are asked for. */
export function newKeyPairs(
  vault: Vault,
  endpointId: string,
  asymmetric: boolean,
): EndpointKeyPairs {
  if (!asymmetric) return NO_KEY_PAIRS;
  return seal(vault, endpointId, [{ signingKey: newSigningKey(randomBytes), expiresAt: null }]);
}

/** The pairs after a change: the same, a first one, or none any more. */
export function changedKeyPairs(
  vault: Vault,
  { id, signingKeys, publicKeys }: EndpointKeys,
  asymmetric: boolean | undefined,
): EndpointKeyPairs {
  const isUnchanged = asymmetric === undefined || asymmetric === (signingKeys !== null);
  return isUnchanged ? { signingKeys, publicKeys } : newKeyPairs(vault, id, asymmetric);
}

/** A new pair, where there is one; the newest before signs beside it until `until`, and no other. */
export function rotatedKeyPairs(
  vault: Vault,
  endpoint: EndpointKeys,
  until: Date,
): EndpointKeyPairs {
  const [newest] = open(vault, endpoint);
  if (newest === undefined) return NO_KEY_PAIRS;
  const fresh = { signingKey: newSigningKey(randomBytes), expiresAt: null };
  const previous = { ...newest, expiresAt: until.toISOString() };
  return seal(vault, endpoint.id, [fresh, previous]);
}

/**
 * All that signs an endpoint's webhooks at a time, in the order of the header: secrets (`whsec_`), then
 * private keys (`whsk_`), at most two of each, newest first.
 */
export function openEndpointKeys(vault: Vault, endpoint: EndpointKeys, now: Date): string[] {
  const secrets = openEndpointSecrets(vault, endpoint.id, endpoint.secret, now);
  const keys = keysInForce(open(vault, endpoint), now);
  return [...secrets, ...keys.map(({ signingKey }) => signingKey)];
}

function seal(
  vault: Vault,
  endpointId: string,
  keys: readonly StoredSigningKey[],
): EndpointKeyPairs {
  const publicKeys = keys.map(({ signingKey, expiresAt }) => {
    return { publicKey: publicKeyOf(signingKey), expiresAt };
  });
  return { signingKeys: vault.sealJson(keys, signingKeysRow(endpointId)), publicKeys };
}

function open(vault: Vault, { id, signingKeys }: EndpointKeys): readonly StoredSigningKey[] {
  return signingKeys === null
    ? []
    : vault.openJson<StoredSigningKey[]>(signingKeys, signingKeysRow(id));
}

/** The row that an endpoint's private keys are sealed for. */
export function signingKeysRow(endpointId: string): string {
  return `webhook_endpoints/${endpointId}/signing_keys`;
}
