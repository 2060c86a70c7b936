import {
  ADDRESS_TABLES,
  ACCOUNT_TABLES,
  listAddressesInTurn,
  listHashedAddresses,
  type HashedAddress,
} from '../../../db/operations/keyed-hash-store.ts';
import { personAddressRow } from '../../../domain/customers/access/person-rows.ts';
import { pepperOf } from '../../../domain/peppers.ts';
import { ADDRESS_PURPOSE, addressRow } from '../../customers/mail/mail-rows.ts';
import type { Vault } from '../../../vault/vault.ts';
import type { ResealDeps } from './reseal.ts';

const PAGE_ROWS = 1_000;

/**
 * Makes the hash of a few stored addresses again. A pepper that was typed wrongly would turn every hash into one that no
 * process finds. DIFFERS: none of those under one number comes out the same. UNUSED: none was made under the current
 * pepper yet.
 */
export async function checkPeppers({
  db,
  vault,
}: ResealDeps): Promise<'MATCH' | 'UNUSED' | 'DIFFERS'> {
  const isMadeBy = new Map<number, boolean>();
  for (const table of ADDRESS_TABLES) {
    for (const isCurrent of [true, false]) {
      const rows = await db.system((tx) =>
        listHashedAddresses(tx, table, vault.currentPepper, isCurrent),
      );
      for (const one of rows) {
        const isRight = isHashOfAddress(vault, table, one);
        const number = pepperOf(one.hash);
        // Counted by number, and said so: it says nothing about the peppers that there are.
        if (number > vault.currentPepper) continue;
        if (isRight !== null) isMadeBy.set(number, isRight || isMadeBy.get(number) === true);
      }
    }
  }
  if ([...isMadeBy.values()].includes(false)) return 'DIFFERS';
  return isMadeBy.has(vault.currentPepper) ? 'MATCH' : 'UNUSED';
}

/**
 * Accounts whose hash is not that of their address, as `users.address_hash of usr_...`. Whoever has the address of the
 * hash could log in to the account. The role causeway_resealer can put one there while hashes move. Reads every account.
 */
export async function listForeignHashes({
  db,
  vault,
  showProgress,
}: ResealDeps): Promise<readonly string[]> {
  const foreign: string[] = [];
  for (const table of ACCOUNT_TABLES) {
    let read = 0;
    for (let after: string | undefined = ''; after !== undefined;) {
      const from: string = after;
      const rows = await db.system((tx) => listAddressesInTurn(tx, table, from, PAGE_ROWS));
      for (const one of rows) {
        if (isHashOfAddress(vault, table, one) === false) {
          foreign.push(`${table}.address_hash of ${one.id}`);
        }
      }
      read += rows.length;
      showProgress(`${table}.address: ${String(read)} rows`);
      after = rows.at(-1)?.id;
    }
  }
  showProgress('');
  return foreign;
}

/** Null where no key opens the address: sealing anew says so. */
function isHashOfAddress(
  vault: Vault,
  table: (typeof ADDRESS_TABLES)[number],
  { id, address, hash }: HashedAddress,
): boolean | null {
  const row = table === 'mails' ? addressRow(id) : personAddressRow(id);
  const text = openQuietly(vault, address, row);
  if (text === null) return null;
  return vault.keyedHashAfter(hash, ADDRESS_PURPOSE, text).equals(vault.raiseHash(hash));
}

function openQuietly(vault: Vault, sealed: Buffer, row: string): string | null {
  try {
    return vault.open(sealed, row).toString();
  } catch {
    return null;
  }
}
