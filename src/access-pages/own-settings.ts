import { listSessions, type OwnSession } from '../db/own-session-store.ts';
import { listPasskeys, type PasskeyRow } from '../db/passkey-store.ts';
import { readPersonAddress } from '../db/person-store.ts';
import { maskAddress } from '../domain/access/masked-address.ts';
import type { Person } from '../domain/access/person.ts';
import { personAddressRow } from '../access/person-rows.ts';
import type { AccessPageDeps } from './access-page-deps.ts';

/** What a person's settings page shows beside what the request has of them. */
export interface OwnSettings {
  readonly sessions: readonly OwnSession[];
  readonly passkeys: readonly PasskeyRow[];
  /** Masked. */
  readonly address: string;
}

export function readOwnSettings(
  { db, vault, clock }: AccessPageDeps,
  { id }: Person,
): Promise<OwnSettings> {
  return db.system(async (tx) => {
    const sealed = await readPersonAddress(tx, id);
    if (sealed === null) throw new Error(`${id} has no address`);
    const address = vault.open(sealed, personAddressRow(id)).toString();
    return {
      address: maskAddress(address),
      sessions: await listSessions(tx, id, clock.now()),
      passkeys: await listPasskeys(tx, id),
    };
  });
}
