import { insertAccessRequest } from '../../../db/customers/access-request-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { takeBudget, type Asking } from '../../../db/customers/login-challenge-store.ts';
import { newId } from '../../../db/client/new-id.ts';
import {
  REQUEST_LIFE_MS,
  type AccessRequestDetails,
} from '../../../domain/customers/access/access-request.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import { sealDetails } from './access-request-details.ts';

/** Requests an hour. The network's is taken first: one that is refused does not spend the address's. */
const OF_A_NETWORK = 10;
const OF_AN_ADDRESS = 3;

interface AskDeps {
  readonly vault: KeyedHashes & Pick<Vault, 'sealJson'>;
  readonly clock: Clock;
}

/** Takes one request of the hour's budgets; false where there is none left, no matter whose the address is. */
export async function takeRequestBudget(
  { vault, clock }: AskDeps,
  db: Asking,
  asker: { readonly network: string; readonly address: string },
): Promise<boolean> {
  const at = clock.now();
  const budgets = [
    [`network:${asker.network}`, OF_A_NETWORK],
    [`address:${asker.address}`, OF_AN_ADDRESS],
  ] as const;
  for (const [countedFor, most] of budgets) {
    if (!(await takeBudget(db, vault.briefHash('request-budget', countedFor), at, most))) {
      return false;
    }
  }
  return true;
}

/**
 * Stores a request for access and answers its id. It looks nothing up: a person who is known to us is
 * answered as one who is not. What follows is its workflow's.
 */
export async function askForAccess(
  { vault, clock }: AskDeps,
  tx: SystemTransaction,
  details: AccessRequestDetails,
): Promise<string> {
  const id = newId(ID_PREFIXES.accessRequest);
  const createdAt = clock.now();
  await insertAccessRequest(tx, {
    id,
    addressHash: vault.keyedHash(ADDRESS_PURPOSE, details.address),
    details: sealDetails(vault, id, details),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + REQUEST_LIFE_MS),
  });
  return id;
}
