import { lockApiKey, type ApiKeyRow } from '../../db/customers/api-key-list-store.ts';
import { replaceApiKey } from '../../db/customers/api-key-write-store.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import type { AnyTransaction } from '../../db/client/database.ts';
import { insertKeyAddress, listKeyAddresses } from '../../db/customers/key-address-store.ts';
import { copyLimits } from '../../db/payments/payment-limit-write-store.ts';
import { newId } from '../../db/client/new-id.ts';
import { actorText, type Actor } from '../../domain/actor.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import {
  keyState,
  OVERLAP_HOURS_MAX,
  replacedKeyEnd,
  successorEnd,
} from '../../domain/customers/keys/key-life.ts';
import { limitDay } from '../../domain/payments/limits/payment-limit.ts';
import type { Scope } from '../../domain/scope.ts';
import type { CreatedKey } from './create-api-key.ts';
import { issueApiKey, type KeyRandom } from './issue-api-key.ts';
import { mailAboutKey, type KeyDeps } from './key-mails.ts';
import { KeyRefused } from './key-refused.ts';

/** More than a key has that hold, see `listAddress`. */
const ADDRESSES_MAX = 100;

interface Rotation {
  readonly keyId: string;
  readonly random: KeyRandom;
  /** How long the old key works on: 0 to 168. */
  readonly overlapHours: number;
  readonly by: Actor;
}

interface RotatedKey extends CreatedKey {
  readonly oldEndsAt: Date;
}

/**
 * Makes a key that takes another one's place: same name, scopes, approved addresses and limits, and as long a life.
 * The old one is refused when the overlap is over. Addresses that wait stay with the old key. Throws
 * Refusal (404) for a key that the scope does not have, KeyRefused for one that works no more or is being
 * replaced already.
 */
export async function rotateApiKey(
  deps: KeyDeps,
  tx: AnyTransaction,
  scope: Scope,
  { keyId, random, overlapHours, by }: Rotation,
): Promise<RotatedKey> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > OVERLAP_HOURS_MAX) {
    throw new RangeError(`an overlap is 0 to ${String(OVERLAP_HOURS_MAX)} hours`);
  }
  const old = await lockApiKey(tx, scope, keyId);
  if (old === null) throw new Refusal('not_found', 'There is no such API key.');
  const at = deps.clock.now();
  requireActive(old, at);
  const id = newId(ID_PREFIXES.apiKey);
  const oldEndsAt = replacedKeyEnd(old.expiresAt, overlapHours, at);
  await replaceApiKey(tx, scope, old.id, { replacedBy: id, endsAt: oldEndsAt });
  const key = await issueApiKey(deps, tx, scope, {
    ...{ id, random, by, name: old.name, scopes: old.scopes },
    expiresAt: successorEnd(scope.environment, old, at),
    isOpenToAnyAddress: old.isOpenToAnyAddress,
    details: { replaces: old.id },
  });
  await copyAddresses(tx, scope, { from: old.id, to: id, by, at });
  await copyLimits(tx, scope, {
    ...{ from: old.id, to: id, day: limitDay(at) },
    newLimitId: () => newId(ID_PREFIXES.paymentLimit),
  });
  await recordAudit(tx, {
    ...{ at, actor: by, action: 'api_key.rotated', scope, subject: old.id },
    details: { replacedBy: id, endsAt: oldEndsAt },
  });
  const more = { oldEndsAt };
  const mailIds = await mailAboutKey(deps, tx, scope, { kind: 'KEY_ROTATED', key, more });
  return { ...key, mailIds, oldEndsAt };
}

function requireActive(key: ApiKeyRow, at: Date): void {
  const state = keyState(key, at);
  if (state === 'REPLACED') throw new KeyRefused('This key already has a replacement.');
  if (state !== 'ACTIVE') throw new KeyRefused('This key no longer works. Create a new key.');
}

async function copyAddresses(
  tx: AnyTransaction,
  scope: Scope,
  { from, to, by, at }: { from: string; to: string; by: Actor; at: Date },
): Promise<void> {
  const addresses = await listKeyAddresses(tx, scope, from, ADDRESSES_MAX);
  for (const { id, range, label, status } of addresses) {
    if (status !== 'APPROVED') continue;
    await insertKeyAddress(tx, scope, {
      ...{ id: newId(ID_PREFIXES.allowlistEntry), apiKeyId: to, range, label, at },
      ...{ requestedBy: actorText(by), copiedFrom: id },
    });
  }
}
