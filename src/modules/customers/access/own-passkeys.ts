import { newId } from '../../../db/client/new-id.ts';
import {
  insertPasskey,
  listPasskeys,
  lockPerson,
  removePasskey,
} from '../../../db/customers/passkey-store.ts';
import type { Person } from '../../../domain/customers/access/person.ts';
import { ID_PREFIXES } from '../../../domain/ids.ts';
import type { UseForm } from './ask-for-code.ts';
import type { OwnDeps } from './own-sessions.ts';
import type { ShownPasskey } from './passkeys.ts';
import { customerOf, recordPersonAct } from './person-audit.ts';

/** Adds a passkey to a person; false where a person has it already, or this one has ten. */
export function addOwnPasskey(
  { db, clock }: OwnDeps,
  person: Person,
  shown: ShownPasskey & { readonly browser: string },
  useForm: UseForm,
): Promise<boolean> {
  return db.system(async (tx) => {
    const at = clock.now();
    await useForm(tx);
    const id = newId(ID_PREFIXES.passkey);
    const owner = { personId: person.id, customerId: customerOf(person) };
    if (!(await insertPasskey(tx, { ...shown, ...owner, id, createdAt: at }))) return false;
    const by = { id: person.id, customerId: owner.customerId };
    await recordPersonAct(tx, at, by, { action: 'passkey.add', subject: id });
    return true;
  });
}

type PasskeyRemoval = 'REMOVED' | 'NO_SUCH' | 'LAST_ONE_STAYS';

/** Removes a passkey of a person. Where one is required the last one stays: another is added first. */
export function removeOwnPasskey(
  { db, clock }: OwnDeps,
  person: Person,
  passkeyId: string,
  useForm: UseForm,
): Promise<PasskeyRemoval> {
  return db.system(async (tx) => {
    const at = clock.now();
    await useForm(tx);
    await lockPerson(tx, person.id);
    const passkeys = await listPasskeys(tx, person.id);
    if (!passkeys.some(({ id }) => id === passkeyId)) return 'NO_SUCH';
    if (person.passkey.isRequired && passkeys.length === 1) return 'LAST_ONE_STAYS';
    const owner = { personId: person.id, sessionId: person.sessionId };
    if (!(await removePasskey(tx, owner, passkeyId, at))) return 'NO_SUCH';
    const by = { id: person.id, customerId: customerOf(person) };
    await recordPersonAct(tx, at, by, { action: 'passkey.remove', subject: passkeyId });
    return 'REMOVED';
  });
}
