import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { AnyTransaction, ScopedTransaction } from '../../../db/client/database.ts';
import { endInvitations } from '../../../db/customers/invitation-store.ts';
import {
  changeUser,
  countUsers,
  lockUser,
  type UserRow,
} from '../../../db/customers/user-store.ts';
import type { UserRole } from '../../../domain/customers/access/user-rights.ts';
import type { Actor } from '../../../domain/actor.ts';
import { Refusal } from '../../../domain/errors/refusal.ts';
import { requireFound } from '../../../domain/errors/require-found.ts';
import { writeMail } from '../mail/write-mail.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import { addUser, type PersonData } from './add-person.ts';
import { sendInvitation, type InviteDeps } from './invitations.ts';
import { personAddressRow } from '../../../domain/customers/access/person-rows.ts';

/** Users of a customer, disabled ones among them: what its page shows at once. */
export const USERS_MAX = 200;

export interface UserDeps extends InviteDeps {
  readonly vault: KeyedHashes & Pick<Vault, 'seal' | 'sealJson' | 'open'>;
}

/** Whose user is changed, and by whom. */
interface UserAct {
  readonly customer: { readonly id: string; readonly name: string };
  readonly actor: Actor;
  /** Why, where an operator acts. */
  readonly reason?: string;
}

/** The user, as the one who changes it saw it last. */
interface SeenUser extends UserAct {
  readonly userId: string;
  readonly version: number;
}

/**
 * Stores an INVITED user and writes the invitation. Answers the mail's id; why not, where the customer
 * has a user of that address, or as many as it may have.
 */
export async function inviteUser(
  deps: UserDeps,
  tx: AnyTransaction,
  act: UserAct,
  user: PersonData & { readonly role: UserRole },
): Promise<
  { readonly mailId: string } | { readonly refusal: 'ADDRESS_IS_TAKEN' | 'TOO_MANY_USERS' }
> {
  const { customer } = act;
  if ((await countUsers(tx, customer.id)) >= USERS_MAX) return { refusal: 'TOO_MANY_USERS' };
  const userId = await addUser(deps, tx, { ...user, customerId: customer.id, status: 'INVITED' });
  if (userId === null) return { refusal: 'ADDRESS_IS_TAKEN' };
  await audit(deps, tx, act, 'user.invited', userId, { role: user.role });
  const { address, role } = user;
  const invited = { customerId: customer.id, customerName: customer.name, userId, address, role };
  return { mailId: await sendInvitation(deps, tx, invited) };
}

/**
 * Sends a new link to a user who has not used one; the last is over. Refuses with not_found, and with
 * version_conflict where the user was changed since, is ACTIVE, or DISABLED. Answers the mail's id.
 */
export async function inviteAgain(
  deps: UserDeps,
  tx: AnyTransaction,
  seen: SeenUser,
): Promise<string> {
  const user = await lockSeen(tx, seen);
  if (user.status === 'ACTIVE') {
    throw new Refusal('version_conflict', 'This user has accepted the invitation meanwhile.');
  }
  if (user.status === 'DISABLED') {
    throw new Refusal('version_conflict', 'This user has been disabled.');
  }
  await audit(deps, tx, seen, 'user.invited_again', user.id, { role: user.role });
  return sendLink(deps, tx, seen, user);
}

/**
 * Invites a user who is DISABLED once more, in the role of before: an act of its own, so that no form about an
 * invitation brings a user back. Refuses as `inviteAgain`, and where the user is not DISABLED.
 */
export async function restoreUser(
  deps: UserDeps,
  tx: AnyTransaction,
  seen: SeenUser,
): Promise<string> {
  const user = await lockSeen(tx, seen);
  if (user.status !== 'DISABLED') {
    throw new Refusal('version_conflict', 'This user is not disabled any more.');
  }
  await changeUser(tx, user.id, { role: user.role, status: 'INVITED' });
  await audit(deps, tx, seen, 'user.restored', user.id, { role: user.role });
  return sendLink(deps, tx, seen, user);
}

const sendLink = (
  deps: UserDeps,
  tx: AnyTransaction,
  { customer }: UserAct,
  user: UserRow,
): Promise<string> =>
  sendInvitation(deps, tx, {
    ...{ customerId: customer.id, customerName: customer.name },
    ...{ userId: user.id, address: addressOf(deps, user), role: user.role },
  });

/**
 * Gives a user another role, which ends their sessions. Refuses with not_found and version_conflict;
 * PostgreSQL refuses to take the last owner's: see `isLastOwner`. Answers the mail's id; null where the
 * address is not verified, or nothing changes.
 */
export async function changeUserRole(
  deps: UserDeps,
  tx: ScopedTransaction,
  seen: SeenUser,
  role: UserRole,
): Promise<string | null> {
  const user = await lockSeen(tx, seen);
  if (user.status === 'DISABLED') {
    throw new Refusal('version_conflict', 'This user has been disabled.');
  }
  if (user.role === role) return null;
  await changeUser(tx, user.id, { role, status: user.status });
  await audit(deps, tx, seen, 'user.role_changed', user.id, { from: user.role, to: role });
  if (user.status !== 'ACTIVE') return null;
  const { customer } = seen;
  return writeMail(deps, tx, {
    kind: 'ROLE_CHANGED',
    to: addressOf(deps, user),
    customerId: customer.id,
    facts: { role, company: customer.name, at: deps.clock.now() },
  });
}

/**
 * Disables a user, or withdraws the invitation of one: no session and no link of theirs holds any more,
 * anywhere, from the commit on. Refuses as `changeUserRole`. One that is disabled stays as it is.
 */
export async function disableUser(
  deps: UserDeps,
  tx: ScopedTransaction,
  seen: SeenUser,
): Promise<void> {
  const user = await lockSeen(tx, seen);
  if (user.status === 'DISABLED') return;
  await endInvitations(tx, user.id, deps.clock.now());
  await changeUser(tx, user.id, { role: user.role, status: 'DISABLED' });
  const action = user.status === 'INVITED' ? 'user.invitation_withdrawn' : 'user.disabled';
  await audit(deps, tx, seen, action, user.id, { role: user.role });
}

async function lockSeen(
  tx: AnyTransaction,
  { customer, userId, version }: SeenUser,
): Promise<UserRow> {
  const user = requireFound(await lockUser(tx, customer.id, userId));
  if (user.version !== version) {
    const now = `${user.role.toLowerCase()}, ${user.status.toLowerCase()}`;
    throw new Refusal(
      'version_conflict',
      `This user has been changed since you opened the page: now ${now}. Nothing was changed.`,
    );
  }
  return user;
}

const addressOf = ({ vault }: UserDeps, { id, address }: UserRow): string =>
  vault.open(address, personAddressRow(id)).toString();

const audit = (
  { clock }: UserDeps,
  tx: AnyTransaction,
  { customer, actor, reason }: UserAct,
  action: string,
  subject: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> =>
  recordAudit(tx, {
    at: clock.now(),
    actor,
    action,
    scope: { customerId: customer.id, environment: null },
    subject,
    details: reason === undefined ? details : { ...details, reason },
  });
