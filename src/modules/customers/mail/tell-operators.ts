import { personAddressRow } from '../../../domain/customers/access/person-rows.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import { listActiveOperators } from '../../../db/customers/operator-list-store.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import type { MailFacts, MailKind } from './texts/mail-texts.ts';
import { writeMail } from './write-mail.ts';

/** More operators than an installation has. */
const TOLD_MAX = 200;

/**
 * Writes one mail for each ACTIVE operator of these roles, but for one of them; answers the mails' ids, which
 * the caller dispatches once the transaction has committed.
 */
export async function tellOperators<Kind extends MailKind>(
  deps: {
    readonly vault: KeyedHashes & Pick<Vault, 'seal' | 'sealJson' | 'open'>;
    readonly clock: Clock;
  },
  tx: SystemTransaction,
  to: { readonly roles: readonly string[]; readonly but: string | null },
  mail: { readonly kind: Kind; readonly facts: MailFacts<Kind> },
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const { id, address } of await listActiveOperators(tx, to.roles, TOLD_MAX)) {
    if (id === to.but) continue;
    const plain = deps.vault.open(address, personAddressRow(id)).toString();
    ids.push(await writeMail(deps, tx, { ...mail, to: plain, customerId: null }));
  }
  return ids;
}
