import type { Database } from '../../src/db/client/database.ts';
import { lockEndUser } from '../../src/db/parties/end-user-store.ts';
import { recordEvent } from '../../src/db/webhooks/event-store.ts';
import type { Scope } from '../../src/domain/scope.ts';
import { endUserEvent } from '../../src/modules/parties/end-users/end-user-view.ts';

/** Closes an end-user, as their next version. */
export function closeEndUser(db: Database, scope: Scope, id: string, at: Date): Promise<void> {
  return db.write(scope, async (tx) => {
    const before = await lockEndUser(tx, scope, id);
    if (before === null) throw new Error('there is no such end-user');
    await tx.query(
      `UPDATE end_users SET status = 'CLOSED', version = version + 1, updated_at = $4
       WHERE customer_id = $1 AND environment = $2 AND id = $3`,
      [scope.customerId, scope.environment, id, at],
    );
    const closed = await lockEndUser(tx, scope, id);
    if (closed === null) throw new Error('the end-user is gone');
    await recordEvent(tx, scope, endUserEvent('end_user.closed', closed, before), at);
  });
}
