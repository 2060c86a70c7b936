import {
  personAddressRow,
  personNameRow,
} from '../../../../../domain/customers/access/person-rows.ts';
import type { UserRow } from '../../../../../db/customers/user-store.ts';
import { maskAddress } from '../../../../../domain/customers/access/mask-address.ts';
import type { User } from '../../../../../domain/customers/access/person.ts';
import type { Vault } from '../../../../../vault/vault.ts';
import { hasRight } from '../../../environment.tsx';

/** A user as users of the same customer may see them. */
export interface ShownUser extends Omit<UserRow, 'name' | 'address'> {
  readonly name: string;
  /** Masked, unless the one who looks has the right to change users, or it is their own. */
  readonly address: string;
  readonly isSelf: boolean;
}

export function showUser(vault: Pick<Vault, 'open'>, row: UserRow, viewer: User): ShownUser {
  const isSelf = row.id === viewer.id;
  const address = vault.open(row.address, personAddressRow(row.id)).toString();
  return {
    ...row,
    isSelf,
    name: vault.open(row.name, personNameRow(row.id)).toString(),
    address: isSelf || hasRight(viewer, 'write-users') ? address : maskAddress(address),
  };
}
