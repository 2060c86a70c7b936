import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

interface ChangedTypes {
  readonly endpointId: string;
  /** What the endpoint subscribed to until now, and from now on. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Has an endpoint that is catching up be sent what happened under either of its subscriptions, and under
 * those before: no one knows by then which of them an event in the log belongs to. Within
 * `Database.exclusive`.
 */
export async function widenMissedReplay(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  { endpointId, before, after }: ChangedTypes,
): Promise<void> {
  await tx.query(
    `UPDATE webhook_replays SET types = CASE
         WHEN '*' = ANY (coalesce(types, :before::text[]) || :after::text[]) THEN ARRAY['*']
         ELSE ARRAY(SELECT DISTINCT u.type
           FROM unnest(coalesce(types, :before::text[]) || :after::text[]) AS u (type) ORDER BY u.type)
       END
     WHERE customer_id = :customerId AND environment = :environment AND endpoint_id = :endpointId
       AND status = 'RUNNING' AND reason = 'MISSED'`,
    { customerId, environment, endpointId, before, after },
  );
}

/** Ends what an endpoint was still to be sent again: it is deleted. */
export async function endReplays(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  endpointId: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE webhook_replays SET status = 'COMPLETED', completed_at = $4
     WHERE customer_id = $1 AND environment = $2 AND endpoint_id = $3 AND status = 'RUNNING'`,
    [customerId, environment, endpointId, at],
  );
}
