import type { SystemTransaction } from '../../../db/client/database.ts';
import { newId } from '../../../db/client/new-id.ts';
import {
  insertPasskey,
  listPasskeys,
  lockPerson,
  removePasskey,
} from '../../../db/customers/passkey-store.ts';
import { readPersonAddress } from '../../../db/customers/person-store.ts';
import type { Person } from '../../../domain/customers/access/person.ts';
import { personAddressRow } from '../../../domain/customers/access/person-rows.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import { writeMail } from '../mail/write-mail.ts';
import type { LoginDeps, UseForm } from './ask-for-code.ts';
import type { ShownPasskey } from './passkeys.ts';
import { customerOf, recordPersonAct } from './person-audit.ts';

/** Adds a passkey to a person, and tells them by mail; false where a person has it already, or this one has ten. */
export async function addOwnPasskey(
  deps: LoginDeps,
  person: Person,
  shown: ShownPasskey & { readonly browser: string },
  useForm: UseForm,
): Promise<boolean> {
  const mailId = await deps.db.system(async (tx) => {
    const at = deps.clock.now();
    await useForm(tx);
    const id = newId(ID_PREFIXES.passkey);
    const owner = { personId: person.id, customerId: customerOf(person) };
    if (!(await insertPasskey(tx, { ...shown, ...owner, id, createdAt: at }))) return null;
    const by = { id: person.id, customerId: owner.customerId };
    await recordPersonAct(tx, at, by, { action: 'passkey.add', subject: id });
    return tell(deps, tx, person, 'added', at);
  });
  if (mailId === null) return false;
  deps.dispatchMail(mailId);
  return true;
}

type PasskeyRemoval = 'REMOVED' | 'NO_SUCH' | 'LAST_ONE_STAYS';

/**
 * Removes a passkey of a person, and tells them by mail. Where one is required the last one stays: another is added
 * first.
 */
export async function removeOwnPasskey(
  deps: LoginDeps,
  person: Person,
  passkeyId: string,
  useForm: UseForm,
): Promise<PasskeyRemoval> {
  const mails: string[] = [];
  const removal = await deps.db.system(async (tx): Promise<PasskeyRemoval> => {
    const at = deps.clock.now();
    await useForm(tx);
    await lockPerson(tx, person.id);
    const passkeys = await listPasskeys(tx, person.id);
    if (!passkeys.some(({ id }) => id === passkeyId)) return 'NO_SUCH';
    if (person.passkey.isRequired && passkeys.length === 1) return 'LAST_ONE_STAYS';
    const owner = { personId: person.id, sessionId: person.sessionId };
    if (!(await removePasskey(tx, owner, passkeyId, at))) return 'NO_SUCH';
    const by = { id: person.id, customerId: customerOf(person) };
    await recordPersonAct(tx, at, by, { action: 'passkey.remove', subject: passkeyId });
    mails.push(await tell(deps, tx, person, 'removed', at));
    return 'REMOVED';
  });
  for (const mailId of mails) deps.dispatchMail(mailId);
  return removal;
}

/** Writes the mail that tells a person of it; answers its id. */
async function tell(
  deps: LoginDeps,
  tx: SystemTransaction,
  person: Person,
  change: 'added' | 'removed',
  at: Date,
): Promise<string> {
  const sealed = await readPersonAddress(tx, person.id);
  if (sealed === null) throw new Error(`${person.id} has no address`);
  return writeMail(deps, tx, {
    kind: 'PASSKEY_CHANGED',
    to: deps.vault.open(sealed, personAddressRow(person.id)).toString(),
    customerId: customerOf(person),
    facts: { change, at, settingsUrl: `${deps.origin}/settings` },
  });
}
