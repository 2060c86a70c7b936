import { recordAudit } from '../../../db/operations/audit-store.ts';
import type { SystemTransaction } from '../../../db/client/database.ts';
import type { Actor } from '../../../domain/actor.ts';
import type { Person } from '../../../domain/customers/access/person.ts';

/** A user or an operator as history names them: by id. */
export const actorOf = (personId: string): Actor =>
  personId.startsWith('usr_')
    ? { kind: 'USER', id: personId }
    : { kind: 'OPERATOR', name: personId };

/** The customer of a person; null for operators. */
export const customerOf = (person: Person): string | null =>
  person.kind === 'USER' ? person.customer.id : null;

/** What a person did to their own account, in the transaction that does it. Ids and codes alone. */
export function recordPersonAct(
  tx: SystemTransaction,
  at: Date,
  person: { readonly id: string; readonly customerId: string | null },
  act: {
    readonly action: string;
    readonly subject?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  return recordAudit(tx, {
    at,
    actor: actorOf(person.id),
    action: act.action,
    scope: { customerId: person.customerId, environment: null },
    subject: act.subject ?? person.id,
    details: act.details ?? {},
  });
}
