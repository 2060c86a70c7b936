import { personAddressRow } from '../../../domain/customers/access/person-rows.ts';
import { listUsersOfRoles } from '../../../db/customers/owner-store.ts';
import type { UserRole } from '../../../domain/customers/access/user-rights.ts';
import type { AnyTransaction } from '../../../db/client/database.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import type { MailFacts, MailKind } from './texts/mail-texts.ts';
import { writeMail } from './write-mail.ts';

export interface OwnerMailDeps {
  readonly vault: KeyedHashes & Pick<Vault, 'open' | 'seal' | 'sealJson'>;
  readonly clock: Clock;
}

/**
 * Writes a mail to every owner of a customer, in the transaction of what it tells of. Answers the mails'
 * ids, to be handed on once the transaction has committed.
 */
export const mailOwners = <Kind extends MailKind>(
  deps: OwnerMailDeps,
  tx: AnyTransaction,
  customerId: string,
  mail: { readonly kind: Kind; readonly facts: MailFacts<Kind> },
): Promise<string[]> => mailUsers(deps, tx, customerId, ['OWNER'], mail);

/** The same to every user of a customer in one of these roles. */
export async function mailUsers<Kind extends MailKind>(
  deps: OwnerMailDeps,
  tx: AnyTransaction,
  customerId: string,
  roles: readonly UserRole[],
  mail: { readonly kind: Kind; readonly facts: MailFacts<Kind> },
): Promise<string[]> {
  const ids: string[] = [];
  for (const { id, address } of await listUsersOfRoles(tx, customerId, roles)) {
    const to = deps.vault.open(address, personAddressRow(id)).toString();
    ids.push(await writeMail(deps, tx, { ...mail, to, customerId }));
  }
  return ids;
}
