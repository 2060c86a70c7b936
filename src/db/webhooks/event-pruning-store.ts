import type { Scope } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';

/** A process whose clock is ahead deletes no more: PostgreSQL would refuse it. */
const YOUNGEST = "now() - interval '90 days'";

/** A customer and what of theirs is to be pruned; also those of whom nothing is, for the page behind them. */
interface PrunableRow {
  readonly customerId: string;
  readonly environments: readonly Scope['environment'][];
}

/** `limit` customers after `afterCustomerId`, by id, with their environments that have events from before `until`. */
export async function readPrunableCustomers(
  tx: SystemTransaction,
  until: Date,
  afterCustomerId: string,
  limit: number,
): Promise<PrunableRow[]> {
  return tx.query<PrunableRow>(
    `SELECT c.id AS "customerId", ARRAY(
       SELECT of.environment FROM unnest('{test,live}'::text[]) AS of (environment)
       WHERE EXISTS (SELECT FROM events e WHERE e.customer_id = c.id
         AND e.environment = of.environment AND e.created_at < least($1, ${YOUNGEST}))) AS environments
     FROM customers c WHERE c.id > $2 ORDER BY c.id LIMIT $3`,
    [until, afterCustomerId, limit],
  );
}

/**
 * Deletes the oldest events of a scope from before `until`, with their deliveries and attempts: at most
 * `limit` rows of each table. Answers how many rows went; 0 where nothing is left that may go.
 */
export async function pruneEventsOf(
  tx: SystemTransaction,
  { customerId, environment }: Scope,
  until: Date,
  limit: number,
): Promise<number> {
  const [row] = await tx.query<{ gone: number }>(
    `SELECT prune_events($1, $2, least($3, ${YOUNGEST}), $4) AS gone`,
    [customerId, environment, until, limit],
  );
  return row?.gone ?? 0;
}

/** Deletes at most `limit` replays that were over before `until`; answers how many. */
export async function deleteOldReplays(
  tx: SystemTransaction,
  until: Date,
  limit: number,
): Promise<number> {
  const rows = await tx.query(
    `DELETE FROM webhook_replays WHERE status = 'COMPLETED' AND id = ANY (ARRAY(
       SELECT id FROM webhook_replays WHERE status = 'COMPLETED' AND completed_at < $1
       ORDER BY completed_at LIMIT $2))
     RETURNING id`,
    [until, limit],
  );
  return rows.length;
}
