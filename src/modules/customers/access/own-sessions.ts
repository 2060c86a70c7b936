import { randomBytes } from 'node:crypto';
import type { Database } from '../../../db/client/database.ts';
import { forgetDevices } from '../../../db/customers/device-store.ts';
import type { Asking } from '../../../db/customers/login-challenge-store.ts';
import { endSession, endSessions, renewSession } from '../../../db/customers/own-session-store.ts';
import { endAddressChange, lockActivePerson } from '../../../db/customers/own-settings-store.ts';
import type { Person } from '../../../domain/customers/access/person.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { UseForm } from './ask-for-code.ts';
import { hashesOfDevice } from './devices.ts';
import { customerOf, recordPersonAct } from './person-audit.ts';
import { hashToken, TOKEN_BYTES } from './sessions.ts';

export interface OwnDeps {
  readonly db: Pick<Database, 'system'>;
  readonly clock: Clock;
}

/** Ends one session of a person, their own included; false where they have none of that id. */
export function endOwnSession(
  { db, clock }: OwnDeps,
  person: Person,
  sessionId: string,
  useForm: UseForm,
): Promise<boolean> {
  return db.system(async (tx) => {
    const at = clock.now();
    await useForm(tx);
    if (!(await endSession(tx, person.id, sessionId, at))) return false;
    const owner = { id: person.id, customerId: customerOf(person) };
    await recordPersonAct(tx, at, owner, { action: 'session.end', subject: sessionId });
    return true;
  });
}

/**
 * Ends all sessions of a person but the one that asks, and what was done in them and still waits: a change of
 * address. Devices but this one are not known any more. Answers how many sessions.
 */
export function endOtherSessions(
  { db, clock, vault }: OwnDeps & { readonly vault: KeyedHashes },
  person: Person,
  device: string | null,
  useForm: UseForm,
): Promise<number> {
  return db.system(async (tx) => {
    const at = clock.now();
    await useForm(tx);
    await lockActivePerson(tx, person.id);
    const ended = await endSessions(tx, person.id, person.sessionId, at);
    await endAddressChange(tx, person.id);
    await forgetDevices(tx, person.id, device === null ? [] : hashesOfDevice(vault, device));
    const owner = { id: person.id, customerId: customerOf(person) };
    await recordPersonAct(tx, at, owner, { action: 'session.end_others', details: { ended } });
    return ended;
  });
}

/** Gives a person's session a new token, which holds from now on in the place of the last; null where it is over. */
export async function renewToken(
  { vault }: { readonly vault: KeyedHashes },
  db: Asking,
  { kind, sessionId }: Pick<Person, 'kind' | 'sessionId'>,
): Promise<string | null> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const hash = hashToken(vault, kind === 'USER' ? 'dashboard' : 'console', token);
  return (await renewSession(db, sessionId, hash)) ? token : null;
}
