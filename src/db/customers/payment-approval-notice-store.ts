import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

/** Whose payments wait, in which environment. */
export interface WaitingScope {
  readonly customerId: string;
  readonly environment: Environment;
}

/** A customer hears of payments that wait at most once in this time. */
const APART = "interval '1 hour'";

/** Customers that were not told yet of payments that wait for them, behind the one given. */
export async function readUntoldApprovals(
  tx: SystemTransaction,
  after: WaitingScope | null,
  limit: number,
): Promise<WaitingScope[]> {
  return tx.query<WaitingScope>(
    `SELECT DISTINCT customer_id AS "customerId", environment FROM payment_limit_checks
     WHERE told_at IS NULL AND reasons <> '{}'
       AND (:customerId::text IS NULL OR (customer_id, environment) > (:customerId, :environment::text))
     ORDER BY customer_id, environment LIMIT :limit`,
    { customerId: after?.customerId ?? null, environment: after?.environment ?? null, limit },
  );
}

/**
 * How many payments of a customer wait of which it was not told: it is told now. 0 where it was told within an hour, or
 * nothing waits. What no longer waits is not told of.
 */
export async function noteApprovals(
  tx: SystemTransaction,
  { customerId, environment }: WaitingScope,
  now: Date,
): Promise<number> {
  await tx.query(
    `UPDATE payment_limit_checks c SET told_at = :now FROM payments p
     WHERE c.customer_id = :customerId AND c.environment = :environment
       AND c.told_at IS NULL AND c.reasons <> '{}' AND p.id = c.payment_id
       AND (c.decision IS NOT NULL OR p.status <> 'ON_HOLD')`,
    { customerId, environment, now },
  );
  const noted = await tx.query(
    `INSERT INTO payment_approval_notices AS n (customer_id, environment, told_at)
     SELECT :customerId, :environment, :now WHERE EXISTS (SELECT FROM payment_limit_checks
       WHERE customer_id = :customerId AND environment = :environment AND told_at IS NULL AND reasons <> '{}')
     ON CONFLICT (customer_id, environment) DO UPDATE SET told_at = excluded.told_at
       WHERE n.told_at <= excluded.told_at - ${APART}
     RETURNING told_at`,
    { customerId, environment, now },
  );
  if (noted.length === 0) return 0;
  const told = await tx.query(
    `UPDATE payment_limit_checks SET told_at = :now
     WHERE customer_id = :customerId AND environment = :environment AND told_at IS NULL AND reasons <> '{}'
     RETURNING payment_id`,
    { customerId, environment, now },
  );
  return told.length;
}
