import { addOperator } from '../../modules/customers/access/add-person.ts';
import type { Database } from '../../db/client/database.ts';
import { findOperatorByAddress } from '../../db/customers/person-store.ts';
import { ADDRESS_PURPOSE } from '../../modules/customers/mail/mail-rows.ts';
import type { OperatorRole } from '../../domain/customers/access/operator-rights.ts';
import { USER_ROLES, type UserRole } from '../../domain/customers/access/user-rights.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Vault } from '../../vault/vault.ts';
import { addVerifiedUser } from './add-verified-user.ts';

/** Addresses to log in with in a local run; every mail lands in the sandbox mailbox. */
export interface DemoLogins {
  readonly owner: string;
  readonly developer: string;
  readonly finance: string;
  readonly viewer: string;
  /** Named for their roles; two of operations and two of compliance, so that two can approve. */
  readonly operators: readonly string[];
}

/** RFC 2606 keeps this name for examples. */
const PARTNER = 'demo-partner.example';
const OPERATOR_DOMAIN = 'causeway.example';

const OPERATORS: readonly (readonly [address: string, role: OperatorRole])[] = [
  [`operations@${OPERATOR_DOMAIN}`, 'OPERATIONS'],
  [`compliance@${OPERATOR_DOMAIN}`, 'COMPLIANCE'],
  [`compliance-2@${OPERATOR_DOMAIN}`, 'COMPLIANCE'],
  [`operations-2@${OPERATOR_DOMAIN}`, 'OPERATIONS'],
  [`admin@${OPERATOR_DOMAIN}`, 'ADMIN'],
];

/** Whose word a local run's own approvals are: two of compliance, by their ids. */
export interface Approvers {
  readonly first: string;
  readonly second: string;
}

/** Takes on a user of each role for the demo customer, and operators, where they do not exist yet. */
export async function seedDemoPeople(
  deps: { readonly db: Database; readonly vault: Vault; readonly clock: Clock },
  customerId: string,
): Promise<{ readonly logins: DemoLogins; readonly approvers: Approvers }> {
  const compliance = await deps.db.system(async (tx) => {
    for (const role of USER_ROLES) {
      const user = { address: addressOf(role), name: `Demo ${role.toLowerCase()}` };
      await addVerifiedUser(deps, tx, { ...user, customerId, role });
    }
    const ids: string[] = [];
    for (const [address, role] of OPERATORS) {
      const operator = { address, name: operatorName(address), role };
      const hashes = deps.vault.keyedHashes(ADDRESS_PURPOSE, address);
      const id =
        (await addOperator(deps, tx, operator)) ?? (await findOperatorByAddress(tx, hashes));
      if (role === 'COMPLIANCE' && id !== null) ids.push(id);
    }
    return ids;
  });
  const [first = '', second = ''] = compliance;
  const logins = {
    owner: addressOf('OWNER'),
    developer: addressOf('DEVELOPER'),
    finance: addressOf('FINANCE'),
    viewer: addressOf('VIEWER'),
    operators: OPERATORS.map(([address]) => address),
  };
  return { logins, approvers: { first, second } };
}

/** "Demo compliance 2": the console lists operators by name. */
const operatorName = (address: string): string =>
  `Demo ${(address.split('@')[0] ?? '').replace('-', ' ')}`;

const addressOf = (role: UserRole): string => `${role.toLowerCase()}@${PARTNER}`;
