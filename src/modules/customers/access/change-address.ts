import type { SystemTransaction } from '../../../db/client/database.ts';
import { takeBudget } from '../../../db/customers/login-challenge-store.ts';
import { endSessions, isSessionOpen } from '../../../db/customers/own-session-store.ts';
import {
  endAddressChange,
  insertAddressChange,
  lockActivePerson,
  updateAddress,
  type AddressChange,
} from '../../../db/customers/own-settings-store.ts';
import { findPersonCustomer, readPersonAddress } from '../../../db/customers/person-store.ts';
import { isUniqueViolation } from '../../../db/client/unique-violation.ts';
import type { Person } from '../../../domain/customers/access/person.ts';
import { ADDRESS_PURPOSE } from '../mail/mail-rows.ts';
import { writeMail } from '../mail/write-mail.ts';
import { hashLink, LINK_LIFE_MS, newLinkToken, takeLink, type UsedLink } from './address-links.ts';
import type { LoginDeps, UseForm } from './ask-for-code.ts';
import { keepDevice } from './devices.ts';
import { customerOf, recordPersonAct } from './person-audit.ts';
import { hashAddress } from './add-person.ts';
import {
  addressChangeRow,
  personAddressRow,
} from '../../../domain/customers/access/person-rows.ts';

/** Links an hour for one person: they go to addresses that are not theirs yet. */
const LINKS_MAX = 5;

/** LOGGED_OUT: the session ended, or its person was disabled, while the request was under way. */
type AddressAsked = 'ASKED' | 'TOO_MANY' | 'LOGGED_OUT';

/**
 * Mails a link to an address that a person wants to have; it is theirs once the link was used. The address that
 * they have is told, with a link that ends it. A last change is over.
 */
export async function askForAddress(
  deps: LoginDeps,
  person: Person,
  address: string,
  useForm: UseForm,
): Promise<AddressAsked> {
  const { vault, clock, origin } = deps;
  const answer = await deps.db.system(async (tx) => {
    const at = clock.now();
    await useForm(tx);
    // Under the lock: what ends the session from now on ends this change with it.
    const isActive = await lockActivePerson(tx, person.id);
    const sealed = await readPersonAddress(tx, person.id);
    if (!isActive || sealed === null || !(await isSessionOpen(tx, person.sessionId))) {
      return 'LOGGED_OUT';
    }
    const budget = vault.briefHash('code-budget', `address-change:${person.id}`);
    if (!(await takeBudget(tx, budget, at, LINKS_MAX))) return 'TOO_MANY';
    const [confirm, cancel] = [newLinkToken(), newLinkToken()];
    const endsAt = new Date(at.getTime() + LINK_LIFE_MS);
    await insertAddressChange(tx, {
      ...{ personId: person.id, at, expiresAt: endsAt },
      tokenHash: hashLink(deps, 'CONFIRM', confirm),
      cancelHash: hashLink(deps, 'CANCEL', cancel),
      addressHash: vault.keyedHash(ADDRESS_PURPOSE, address),
      address: vault.seal(Buffer.from(address), addressChangeRow(person.id)),
    });
    const customerId = customerOf(person);
    const action = 'person.ask_for_address';
    await recordPersonAct(tx, at, { id: person.id, customerId }, { action });
    const common = { customerId, expiresAt: endsAt };
    return [
      await writeMail(deps, tx, {
        ...{ ...common, kind: 'ADDRESS_CHANGE_ASKED' },
        to: vault.open(sealed, personAddressRow(person.id)).toString(),
        facts: { at, url: `${origin}/keep-address/${cancel}`, endsAt },
      }),
      await writeMail(deps, tx, {
        ...{ ...common, kind: 'ADDRESS_TO_VERIFY', to: address },
        facts: { url: `${origin}/confirm-address/${confirm}`, endsAt },
      }),
    ];
  });
  if (typeof answer === 'string') return answer;
  for (const mailId of answer) deps.dispatchMail(mailId);
  return 'ASKED';
}

/**
 * Withdraws the change that a person asked for and has not confirmed: both of its links are over. False where none
 * waits any more.
 */
export function withdrawAddress(
  { db, clock }: Pick<LoginDeps, 'db' | 'clock'>,
  person: Person,
  useForm: UseForm,
): Promise<boolean> {
  return db.system(async (tx) => {
    await useForm(tx);
    await lockActivePerson(tx, person.id);
    if (!(await endAddressChange(tx, person.id))) return false;
    const owner = { id: person.id, customerId: customerOf(person) };
    await recordPersonAct(tx, clock.now(), owner, { action: 'person.withdraw_address' });
    return true;
  });
}

/**
 * Uses a link: the person has that address from now on, the old one is told, and their sessions end. False
 * where the link is over, the person disabled, or the address another one's meanwhile.
 */
export async function confirmAddress(
  deps: LoginDeps,
  { surface, token, device }: UsedLink,
  useForm: UseForm,
): Promise<boolean> {
  const mailId = await deps.db
    .system(async (tx) => {
      await useForm(tx);
      const change = await takeLink(deps, tx, 'CONFIRM', surface, token);
      if (change === null) return null;
      const sealed = await readPersonAddress(tx, change.personId);
      if (sealed === null || !(await setAddress(deps, tx, change))) return null;
      const old = deps.vault.open(sealed, personAddressRow(change.personId)).toString();
      await keepDevice(deps, tx, change.personId, device);
      return tellOldAddress(deps, tx, change.personId, old);
    })
    .catch(isTakenMeanwhile);
  if (mailId !== null) deps.dispatchMail(mailId);
  return mailId !== null;
}

/** Of two who take one address at once PostgreSQL refuses the second, with all that its transaction did. */
function isTakenMeanwhile(error: unknown): null {
  const names = ['users_customer_id_address_hash_key', 'operators_address_hash_key'];
  if (names.some((name) => isUniqueViolation(error, name))) return null;
  throw error;
}

function setAddress(
  { vault }: LoginDeps,
  tx: SystemTransaction,
  { personId, address }: AddressChange,
): Promise<boolean> {
  const plain = vault.open(address, addressChangeRow(personId));
  const sealed = vault.seal(plain, personAddressRow(personId));
  // Hashed anew: peppers may have rotated since the link was sent.
  const addressHash = hashAddress(vault, plain.toString());
  return updateAddress(tx, personId, { addressHash, address: sealed });
}

async function tellOldAddress(
  deps: LoginDeps,
  tx: SystemTransaction,
  personId: string,
  old: string,
): Promise<string> {
  const at = deps.clock.now();
  const customerId = await findPersonCustomer(tx, personId);
  await endSessions(tx, personId, null, at);
  await recordPersonAct(tx, at, { id: personId, customerId }, { action: 'person.change_address' });
  return writeMail(deps, tx, { kind: 'ADDRESS_CHANGED', to: old, customerId, facts: { at } });
}
