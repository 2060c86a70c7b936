import { addOperator, addUser } from '../../src/modules/customers/access/add-person.ts';
import { confirmOperator } from '../../src/modules/customers/access/confirm-operator.ts';
import { openSession } from '../../src/modules/customers/access/sessions.ts';
import type { Database } from '../../src/db/client/database.ts';
import { listActiveOperators } from '../../src/db/customers/operator-list-store.ts';
import type { OperatorRole } from '../../src/domain/customers/access/operator-rights.ts';
import type { Surface } from '../../src/domain/customers/access/rights.ts';
import type { UserRole } from '../../src/domain/customers/access/user-rights.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Vault } from '../../src/vault/vault.ts';
import { SESSION_COOKIES } from '../../src/web/kit/session-cookie.ts';

/** What people of a test are stored with: `people` of a test database, its vault and clock. */
export interface TestPeopleDeps {
  readonly people: Database;
  readonly vault: Vault;
  readonly clock: Clock;
}

let count = 0;
const nextAddress = (role: string): string =>
  `${role.toLowerCase()}-${String((count += 1))}@example.com`;

/**
 * Stores an ACTIVE user of a customer, with an address of its own unless one is given. As no role of ours may:
 * the test's login is a superuser, and goes past the link.
 */
export async function addTestUser(
  { people, ...deps }: TestPeopleDeps,
  customerId: string,
  role: UserRole,
  address = nextAddress(role),
  status: 'ACTIVE' | 'INVITED' = 'ACTIVE',
) {
  const user = { address, name: `Sample ${role}`, customerId, role, status: 'INVITED' } as const;
  const id = await people.system(async (tx) => {
    const userId = await addUser(deps, tx, user);
    if (status === 'ACTIVE') {
      await tx.query(
        `SELECT set_config('role', 'none', true), set_config('session_replication_role', 'replica', true)`,
      );
      await tx.query(`UPDATE users SET status = 'ACTIVE' WHERE id = $1`, [userId]);
      await tx.query(`SELECT set_config('session_replication_role', 'origin', true)`);
      await tx.query('RESET ROLE');
    }
    return userId;
  });
  if (id === null) throw new Error(`${address} is taken`);
  return { id, address };
}

/** Stores an operator. */
export async function addTestOperator(
  deps: TestPeopleDeps,
  role: OperatorRole,
  address = nextAddress(role),
) {
  const operator = await addUnconfirmedOperator(deps, role, address);
  await confirmTestOperator(deps, operator.id);
  return operator;
}

/** As a command adds one: where there is an admin already, it approves nothing yet. */
export async function addUnconfirmedOperator(
  deps: TestPeopleDeps,
  role: OperatorRole,
  address = nextAddress(role),
) {
  const operator = { address, name: `Sample ${role}`, role };
  const id = await deps.people.system((tx) => addOperator(deps, tx, operator));
  if (id === null) throw new Error(`${address} is taken`);
  return { id, address };
}

/** Where there is an admin already, an account is confirmed by one before it approves. */
export async function confirmTestOperator(
  { people, clock }: { readonly people: Pick<Database, 'system'>; readonly clock: Clock },
  id: string,
): Promise<void> {
  const admins = await people.system((tx) => listActiveOperators(tx, ['ADMIN'], 100));
  const admin = admins.find((one) => one.confirmedAt !== null && one.id !== id);
  if (admin === undefined) return;
  await confirmOperator({ db: people, clock }, id, { operator: admin.id, reason: 'known to us' });
}

/** Logs a person in and answers the Cookie header of that browser. */
export async function logIn(
  { people, ...deps }: TestPeopleDeps,
  surface: Surface,
  personId: string,
): Promise<string> {
  const session = { surface, personId, browser: 'Firefox on Linux' };
  const token = await people.system((tx) => openSession(deps, tx, session));
  if (token === null) throw new Error(`${personId} cannot log in`);
  return `${SESSION_COOKIES[surface]}=${token}`;
}
