import { recordAudit } from '../../db/operations/audit-store.ts';
import type { AnyTransaction } from '../../db/client/database.ts';
import { countKeyAddresses, insertKeyAddress } from '../../db/customers/key-address-store.ts';
import { newId } from '../../db/client/new-id.ts';
import { actorText, type Actor } from '../../domain/actor.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { Scope } from '../../domain/scope.ts';
import { isNotPublic, readAddressRange } from './address-range.ts';
import type { KeyDeps } from './key-mails.ts';
import { KeyRefused } from './key-refused.ts';

/** Ranges of one key that hold or wait: each request of the key is compared with all that hold. */
const RANGES_MAX = 50;

export const LABEL_MAX = 60;

export interface ListAddressDeps extends Pick<KeyDeps, 'clock'> {
  /** Where partners reach the API. */
  readonly apiUrl: string;
}

const ON_THIS_MACHINE = /^(?:(?:.*\.)?localhost|127\.[0-9.]+|\[::1\])$/;

/** A local run: its callers come by loopback. */
const isOnThisMachine = (url: string): boolean => ON_THIS_MACHINE.test(new URL(url).hostname);

interface AddressOrder {
  readonly apiKeyId: string;
  /** As it was typed. */
  readonly range: string;
  /** What it is, in words of the customer's. */
  readonly label: string;
  readonly by: Actor;
}

interface ListedAddress {
  readonly id: string;
  readonly range: string;
  /** PENDING: two operators have to approve it. */
  readonly status: 'PENDING' | 'APPROVED';
}

/**
 * Puts a range on the list of a key that the caller has locked or just made, with its audit row: in test
 * it holds at once, in live it waits for two operators. Throws KeyRefused for what is no range, is too
 * wide, is on the list already, or is one too many, and for private addresses of a live key: behind a proxy that
 * TRUSTED_PROXIES does not name, every request has one. An API on this machine itself takes them.
 */
export async function listAddress(
  { clock, apiUrl }: ListAddressDeps,
  tx: AnyTransaction,
  scope: Scope,
  { apiKeyId, range: typed, label, by }: AddressOrder,
): Promise<ListedAddress> {
  const reading = readAddressRange(typed);
  if (reading.kind === 'PROBLEM') throw new KeyRefused(reading.message, 'range');
  if (label.length > LABEL_MAX || /[\p{C}\p{Zl}\p{Zp}]/u.test(label)) {
    throw new KeyRefused(
      `A label is one line of at most ${String(LABEL_MAX)} characters.`,
      'label',
    );
  }
  if ((await countKeyAddresses(tx, scope, apiKeyId)) >= RANGES_MAX) {
    throw new KeyRefused(`A key has ${String(RANGES_MAX)} ranges at most. Remove one first.`);
  }
  const { range } = reading;
  if (scope.environment === 'live' && isNotPublic(range) && !isOnThisMachine(apiUrl)) {
    throw new KeyRefused(
      `${range} is not a public range. Enter the address that your servers have on the internet.`,
      'range',
    );
  }
  const at = clock.now();
  const id = newId(ID_PREFIXES.allowlistEntry);
  const address = { id, apiKeyId, range, label, requestedBy: actorText(by), copiedFrom: null, at };
  const status = await insertKeyAddress(tx, scope, address);
  if (status === null) throw new KeyRefused(`${range} is on the list of this key.`, 'range');
  await recordAudit(tx, {
    ...{ at, actor: by, scope, subject: id },
    action: status === 'PENDING' ? 'key_address.proposed' : 'key_address.added',
    details: { apiKeyId, range },
  });
  return { id, range, status: status === 'PENDING' ? 'PENDING' : 'APPROVED' };
}
