import type { FoundApiKey } from '../db/customers/api-key-store.ts';
import { Refusal } from '../domain/errors/refusal.ts';
import { holdsPermission, type Permission } from '../domain/customers/keys/permissions.ts';
import { API_KEY_PURPOSE } from '../modules/customers/api-key-token.ts';
import type { KeyedHashes } from '../vault/keyed-hash.ts';
import { createRangeCheck } from '../web/kit/http/client-address.ts';

interface KeyQuestion {
  readonly address: string;
  readonly permission: Permission | 'any-key';
  readonly now: Date;
}

const NO_HMAC = Buffer.alloc(32);

/**
 * The key whose secret came: nothing is known of who sends another one. An unknown key and a wrong secret
 * cost the same comparison and answer alike.
 */
export function identifyKey(
  vault: Pick<KeyedHashes, 'isKeyedHash'>,
  found: FoundApiKey | null,
  token: string,
): FoundApiKey {
  const isSame = vault.isKeyedHash(found?.tokenHmac ?? NO_HMAC, API_KEY_PURPOSE, token);
  if (found === null || !isSame) throw invalidKey();
  return found;
}

/** Judges a key that was identified, in this order: revocation, expiry, customer, address, scope. */
export function judgeKey(found: FoundApiKey, question: KeyQuestion): FoundApiKey {
  if (found.revokedAt !== null && found.revokedAt <= question.now) {
    throw unauthorised('api_key_revoked', 'The API key was revoked. Use another key.');
  }
  if (found.expiresAt !== null && found.expiresAt <= question.now) {
    throw unauthorised('api_key_expired', 'The API key has expired. Use a new key.');
  }
  if (found.customerStatus === 'SUSPENDED') {
    throw new Refusal(
      'customer_suspended',
      'The customer account is suspended. Contact the operators of the service.',
    );
  }
  if (found.environment === 'live' && !found.hasLiveAccess) {
    throw new Refusal(
      'live_access_not_granted',
      'Live access is not granted yet. Request live access first.',
    );
  }
  if (!isAddressAllowed(found, question.address)) throw addressNotAllowed(question.address);
  if (question.permission !== 'any-key' && !holdsPermission(found.scopes, question.permission)) {
    throw lacksScope(question.permission);
  }
  return found;
}

/** A live key is for approved addresses only; a test key for any where it is open and none is approved. */
function isAddressAllowed(key: FoundApiKey, address: string): boolean {
  if (key.approvedRanges.length > 0) return createRangeCheck(key.approvedRanges)(address);
  return key.environment === 'test' && key.isOpenToAnyAddress;
}

/** 401 for a token that is not one of ours. */
export function invalidKey(): Refusal {
  return unauthorised(
    'invalid_api_key',
    'The API key is unknown. Check that you copied the whole key.',
  );
}

/** 401 where no Bearer token came. RFC 6750 section 3.1: then the challenge tells no error. */
export function missingKey(): Refusal {
  return new Refusal('missing_api_key', 'Send the header "Authorization: Bearer <API key>".', [], {
    'www-authenticate': 'Bearer',
  });
}

function unauthorised(
  code: 'invalid_api_key' | 'api_key_revoked' | 'api_key_expired',
  message: string,
): Refusal {
  return new Refusal(code, message, [], { 'www-authenticate': 'Bearer error="invalid_token"' });
}

function addressNotAllowed(address: string): Refusal {
  const message = 'The source IP address is not approved for the API key. Use an approved address.';
  return new Refusal('ip_not_allowed', message, [
    { path: '', code: 'ip_not_allowed', message, meta: { address } },
  ]);
}

function lacksScope(scope: Permission): Refusal {
  const message = `The API key does not have the scope ${scope}.`;
  return new Refusal('insufficient_scope', message, [
    { path: '', code: 'insufficient_scope', message, meta: { scope } },
  ]);
}
