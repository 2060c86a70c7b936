import { newId } from '../../../db/client/new-id.ts';
import {
  insertOperator,
  insertUser,
  type AddressHash,
} from '../../../db/customers/person-store.ts';
import type { AnyTransaction, SystemTransaction } from '../../../db/client/database.ts';
import type { OperatorRole } from '../../../domain/customers/access/operator-rights.ts';
import type { UserRole } from '../../../domain/customers/access/user-rights.ts';
import type { Clock } from '../../../domain/clock.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import { personAddressRow, personNameRow } from '../../../domain/customers/access/person-rows.ts';

export interface PersonDeps {
  readonly vault: KeyedHashes & Pick<Vault, 'seal'>;
  readonly clock: Clock;
}

/** Who a person is. The address as `readEmailAddress` answers it. */
export interface PersonData {
  readonly address: string;
  readonly name: string;
}

/** Stores a user, whose address is not verified yet, and answers the id; null where the customer has a user of that address. */
export async function addUser(
  deps: PersonDeps,
  tx: AnyTransaction,
  user: PersonData & {
    readonly customerId: string;
    readonly role: UserRole;
    readonly status: 'INVITED';
  },
): Promise<string | null> {
  const { customerId, role, status } = user;
  const row = { ...sealPerson(deps, newId(ID_PREFIXES.user), user), customerId, role, status };
  return (await insertUser(tx, row)) ? row.id : null;
}

/** Stores an operator, who may log in at once, and answers the id; null where there is one of that address. */
export async function addOperator(
  deps: PersonDeps,
  tx: SystemTransaction,
  operator: PersonData & { readonly role: OperatorRole },
): Promise<string | null> {
  const row = { ...sealPerson(deps, newId(ID_PREFIXES.operator), operator), role: operator.role };
  return (await insertOperator(tx, row)) ? row.id : null;
}

/** What an address is stored under, and found by. */
export function hashAddress(vault: KeyedHashes, address: string): AddressHash {
  const [current, ...others] = vault.keyedHashes(ADDRESS_PURPOSE, address);
  if (current === undefined) throw new Error('no pepper is accepted');
  return { current, others, steady: vault.steadyHash(ADDRESS_PURPOSE, address) };
}

const sealPerson = ({ vault, clock }: PersonDeps, id: string, { address, name }: PersonData) => ({
  id,
  addressHash: hashAddress(vault, address),
  address: vault.seal(Buffer.from(address), personAddressRow(id)),
  name: vault.seal(Buffer.from(name), personNameRow(id)),
  at: clock.now(),
});
