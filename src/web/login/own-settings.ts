import { listSessions, type OwnSession } from '../../db/customers/own-session-store.ts';
import { findWaitingAddress } from '../../db/customers/own-settings-store.ts';
import { listPasskeys, type PasskeyRow } from '../../db/customers/passkey-store.ts';
import { readPersonAddress } from '../../db/customers/person-store.ts';
import { maskAddress } from '../../domain/customers/access/masked-address.ts';
import type { Person } from '../../domain/customers/access/person.ts';
import { addressChangeRow, personAddressRow } from '../../domain/customers/access/person-rows.ts';
import type { AccessPageDeps } from './access-page-deps.ts';

/** What a person's settings page shows beside what the request has of them. */
export interface OwnSettings {
  readonly sessions: readonly OwnSession[];
  readonly passkeys: readonly PasskeyRow[];
  /** Masked. */
  readonly address: string;
  /** Another address that was asked for and waits for its link to be used, masked; null where none does. */
  readonly waiting: { readonly address: string; readonly endsAt: Date } | null;
}

export function readOwnSettings(
  { db, vault, clock }: AccessPageDeps,
  { id }: Person,
): Promise<OwnSettings> {
  return db.system(async (tx) => {
    const sealed = await readPersonAddress(tx, id);
    if (sealed === null) throw new Error(`${id} has no address`);
    const now = clock.now();
    const waiting = await findWaitingAddress(tx, id, now);
    const open = (text: Buffer, row: string) => maskAddress(vault.open(text, row).toString());
    return {
      address: open(sealed, personAddressRow(id)),
      waiting: waiting && {
        address: open(waiting.address, addressChangeRow(id)),
        endsAt: waiting.expiresAt,
      },
      sessions: await listSessions(tx, id, now),
      passkeys: await listPasskeys(tx, id),
    };
  });
}
