import type { AnyTransaction } from '../../db/client/database.ts';
import type { Actor } from '../../domain/actor.ts';
import { KEY_DAYS_DEFAULT, KEY_DAYS_MAX, keyEnd } from '../../domain/customers/keys/key-life.ts';
import {
  ALL_PERMISSIONS,
  isKeyScope,
  type KeyScope,
} from '../../domain/customers/keys/permissions.ts';
import type { Scope } from '../../domain/scope.ts';
import { issueApiKey, type IssuedKey, type KeyRandom } from './issue-api-key.ts';
import { mailAboutKey, type KeyDeps } from './key-mails.ts';
import { KeyRefused } from './key-refused.ts';
import { listAddress, type ListAddressDeps } from './list-address.ts';

export const KEY_NAME_MAX = 100;

export interface KeyOrder {
  readonly name: string;
  readonly random: KeyRandom;
  /** What the key may do; everything where it is left out. */
  readonly scopes?: readonly KeyScope[];
  /** Days until it ends; null: never, for test keys alone. The environment's own where it is left out. */
  readonly days?: number | null;
  /**
   * CIDR ranges that it is to be used from. In test they hold at once; in live they wait for two operators,
   * and without one that they have approved the key is refused.
   */
  readonly ranges?: readonly string[];
  readonly by: Actor;
}

export interface CreatedKey extends IssuedKey {
  readonly mailIds: readonly string[];
}

/**
 * Creates an API key in the caller's transaction, with audit row and mails to the owners. Throws
 * KeyRefused where ten keys work already, in live without live access, or for an order that is wrong.
 */
export async function createApiKey(
  deps: KeyDeps & ListAddressDeps,
  tx: AnyTransaction,
  scope: Scope,
  order: KeyOrder,
): Promise<CreatedKey> {
  const { name, random, by, ranges = [] } = order;
  const key = await issueApiKey(deps, tx, scope, {
    ...{ name: checkName(name), random, by },
    scopes: checkScopes(order.scopes ?? [ALL_PERMISSIONS]),
    expiresAt: checkedEnd(deps, scope, order.days),
    isOpenToAnyAddress: ranges.length === 0,
    details: { ranges },
  });
  for (const range of ranges) {
    await listAddress(deps, tx, scope, { apiKeyId: key.id, range, label: '', by });
  }
  const mailIds = await mailAboutKey(deps, tx, scope, { kind: 'KEY_CREATED', key, more: {} });
  return { ...key, mailIds };
}

function checkName(name: string): string {
  const isRight =
    name.trim() !== '' && name.length <= KEY_NAME_MAX && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
  if (isRight) return name;
  throw new KeyRefused(`A name is one line of at most ${String(KEY_NAME_MAX)} characters.`, 'name');
}

function checkScopes(given: readonly string[]): readonly KeyScope[] {
  const scopes = [...new Set(given)];
  if (scopes.length === 0) throw new KeyRefused('A key needs at least one scope.', 'scopes');
  if (scopes.every(isKeyScope)) return scopes;
  throw new KeyRefused('There is no such scope.', 'scopes');
}

function checkedEnd({ clock }: KeyDeps, { environment }: Scope, days?: number | null): Date | null {
  const wanted = days === undefined ? KEY_DAYS_DEFAULT[environment] : days;
  if (wanted === null && environment === 'test') return null;
  const isRight = wanted !== null && Number.isInteger(wanted) && wanted >= 1;
  if (isRight && wanted <= KEY_DAYS_MAX) return keyEnd(wanted, clock.now());
  throw new KeyRefused(`A key ends after 1 to ${String(KEY_DAYS_MAX)} days.`, 'expiry');
}
