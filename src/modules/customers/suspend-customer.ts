import { personAddressRow } from '../../domain/customers/access/person-rows.ts';
import type { OperatorAct } from '../approvals/propose-approval.ts';
import { recordAudit } from '../../db/operations/audit-store.ts';
import { suspendCustomerRow } from '../../db/customers/customer-status-store.ts';
import type { Database } from '../../db/client/database.ts';
import { listOwners } from '../../db/customers/owner-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { writeMail } from './mail/write-mail.ts';
import type { KeyedHashes } from '../../vault/keyed-hash.ts';
import type { Vault } from '../../vault/vault.ts';

interface SuspendDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: KeyedHashes & Pick<Vault, 'seal' | 'sealJson' | 'open'>;
}

/**
 * Suspends a customer, by one operator and at once: no payment of it leaves, and its keys and users change
 * nothing. Answers the mails to its owners; null where it is no ACTIVE customer.
 */
export function suspendCustomer(
  deps: SuspendDeps,
  customerId: string,
  { operator, reason }: OperatorAct,
): Promise<readonly string[] | null> {
  return deps.db.system(async (tx) => {
    const at = deps.clock.now();
    if (!(await suspendCustomerRow(tx, customerId))) return null;
    await recordAudit(tx, {
      at,
      actor: { kind: 'OPERATOR', name: operator },
      action: 'customer.suspend',
      scope: { customerId, environment: null },
      subject: customerId,
      details: { reason },
    });
    const mailIds: string[] = [];
    for (const { id, address } of await listOwners(tx, customerId)) {
      const to = deps.vault.open(address, personAddressRow(id)).toString();
      const mail = { kind: 'CUSTOMER_SUSPENDED', to, customerId, facts: { at } } as const;
      mailIds.push(await writeMail(deps, tx, mail));
    }
    return mailIds;
  });
}
