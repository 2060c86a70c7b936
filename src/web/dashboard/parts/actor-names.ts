import { personNameRow } from '../../../domain/customers/access/person-rows.ts';
import type { ScopedTransaction } from '../../../db/client/database.ts';
import { listUserNames } from '../../../db/customers/user-store.ts';
import type { Vault } from '../../../vault/vault.ts';

/** Says who acted, in words for the customer's own users. */
export type ActorNames = (actor: string | null) => string;

const OF_USER = /^user:(usr_\w+)$/;

/**
 * Names who acted, by the texts that the audit log has for them: users of the customer by their names,
 * operators as such, for who they are is nothing to the customer.
 */
export async function readActorNames(
  tx: ScopedTransaction,
  vault: Pick<Vault, 'open'>,
  customerId: string,
  actors: readonly (string | null)[],
): Promise<ActorNames> {
  const ids = actors.flatMap((actor) => OF_USER.exec(actor ?? '')?.[1] ?? []);
  const rows = ids.length === 0 ? [] : await listUserNames(tx, customerId, [...new Set(ids)]);
  const names = new Map(
    rows.map(({ id, name }) => [`user:${id}`, vault.open(name, personNameRow(id)).toString()]),
  );
  return (actor) => {
    if (actor === null) return 'not recorded';
    return names.get(actor) ?? (actor.startsWith('user:') ? 'a former user' : 'the operator');
  };
}
