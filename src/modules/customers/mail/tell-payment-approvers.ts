import type { Database } from '../../../db/client/database.ts';
import {
  noteApprovals,
  readUntoldApprovals,
  type WaitingScope,
} from '../../../db/customers/payment-approval-notice-store.ts';
import { USER_RIGHTS } from '../../../domain/customers/access/user-rights.ts';
import { mailUsers, type OwnerMailDeps } from './mail-owners.ts';

/** Customers that are looked at in one go. */
const PAGE = 200;

interface TellDeps extends OwnerMailDeps {
  readonly db: Pick<Database, 'system'>;
  /** Where the payments are: mails lead there. */
  readonly dashboardUrl: string;
}

/**
 * Writes one mail to each user who may approve payments, of a customer with payments that wait: at most once an hour in
 * each environment. Two runs at once send each notice once. The mail dispatcher sends the mails.
 */
export async function tellPaymentApprovers({ db, dashboardUrl, ...deps }: TellDeps): Promise<void> {
  const now = deps.clock.now();
  const failures: unknown[] = [];
  for (let after: WaitingScope | null = null; ;) {
    const from: WaitingScope | null = after;
    const scopes: WaitingScope[] = await db.system((tx) => readUntoldApprovals(tx, from, PAGE));
    for (const scope of scopes) {
      const { customerId, environment } = scope;
      const url = `${dashboardUrl}/${environment}/payments?status=ON_HOLD`;
      await db
        .system(async (tx) => {
          const count = await noteApprovals(tx, scope, now);
          if (count === 0) return;
          const mail = { kind: 'PAYMENTS_WAITING', facts: { count, environment, url } } as const;
          await mailUsers(deps, tx, customerId, USER_RIGHTS['approve-payments'].roles, mail);
        })
        .catch((error: unknown) => failures.push(error));
    }
    after = scopes.at(-1) ?? null;
    if (scopes.length < PAGE || after === null) break;
  }
  // Only now: one that fails does not keep the others from theirs.
  if (failures.length > 0) throw failures[0] as Error;
}
