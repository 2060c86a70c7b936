import { recordAudit } from '../../db/operations/audit-store.ts';
import { insertApiKey } from '../../db/customers/api-key-write-store.ts';
import type { AnyTransaction } from '../../db/client/database.ts';
import { newId } from '../../db/client/new-id.ts';
import { actorText, type Actor } from '../../domain/actor.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { Scope } from '../../domain/scope.ts';
import { API_KEY_PURPOSE, buildApiKeyToken } from './api-key-token.ts';
import type { KeyDeps } from './key-mails.ts';
import { sayKeyRefusal } from './key-refused.ts';

/** Random bytes that a key's token is made of: see `buildApiKeyToken`. */
export interface KeyRandom {
  readonly publicId: Uint8Array;
  readonly secret: Uint8Array;
}

interface KeyToIssue {
  readonly id?: string;
  readonly name: string;
  readonly random: KeyRandom;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
  /** Of a test key: it works from everywhere while no address is on its list. */
  readonly isOpenToAnyAddress: boolean;
  readonly by: Actor;
  /** What the audit log says beside name, scopes and end. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface IssuedKey {
  readonly id: string;
  readonly name: string;
  /** Cannot be read again: only an HMAC of it is kept. */
  readonly token: string;
}

/**
 * Stores a new key in the caller's transaction, with its audit row. Throws KeyRefused where ten keys work
 * already, or in live without live access: the database says so, however many ask at once.
 */
export async function issueApiKey(
  { vault, clock }: Pick<KeyDeps, 'vault' | 'clock'>,
  tx: AnyTransaction,
  scope: Scope,
  key: KeyToIssue,
): Promise<IssuedKey> {
  const { name, scopes, expiresAt } = key;
  const { token, publicId, last4 } = buildApiKeyToken(scope.environment, key.random);
  const id = key.id ?? newId(ID_PREFIXES.apiKey);
  const at = clock.now();
  await insertApiKey(tx, scope, {
    ...{ id, publicId, name, last4, scopes, expiresAt, at },
    tokenHmac: vault.keyedHash(API_KEY_PURPOSE, token),
    isOpenToAnyAddress: scope.environment === 'test' && key.isOpenToAnyAddress,
    createdBy: actorText(key.by),
  }).catch(sayKeyRefusal);
  await recordAudit(tx, {
    at,
    actor: key.by,
    action: 'api_key.created',
    scope,
    subject: id,
    details: { name, scopes, expiresAt, ...key.details },
  });
  return { id, name, token };
}
