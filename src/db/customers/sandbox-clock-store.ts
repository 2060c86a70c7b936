import type { Scope } from '../../domain/scope.ts';
import type { EndpointRef } from '../../domain/workflows/work-refs.ts';
import type { ScopedTransaction, SystemTransaction } from '../client/database.ts';

/** How far a customer has moved the clock of its test environment. */
export interface SandboxClockRow {
  readonly advancedSeconds: number;
  /** How often it was moved. */
  readonly version: number;
  readonly advancedAt: Date;
}

/** `bigint`s come as such: the database keeps this one below 400 days. */
type Stored = Omit<SandboxClockRow, 'advancedSeconds'> & { readonly advancedSeconds: bigint };

const toRow = ({ advancedSeconds, ...row }: Stored): SandboxClockRow => ({
  ...row,
  advancedSeconds: Number(advancedSeconds),
});

const COLUMNS = `advanced_seconds AS "advancedSeconds", version, advanced_at AS "advancedAt"`;

/**
 * Moves the clock of the scope's test environment, and everything that waits there for a time: see the function of the
 * database. Null, and nothing is moved, where it would be more than 400 days in sum. Throws for a live scope.
 */
export async function advanceSandboxClock(
  tx: ScopedTransaction,
  seconds: number,
  at: Date,
): Promise<SandboxClockRow | null> {
  const [row] = await tx.query<Stored>(
    `SELECT ${COLUMNS} FROM advance_sandbox_clock(:seconds, :at)`,
    { seconds, at },
  );
  return row === undefined ? null : toRow(row);
}

/** Null where it was never moved. */
export async function findSandboxClock(
  tx: ScopedTransaction,
  { customerId }: Scope,
): Promise<SandboxClockRow | null> {
  const [row] = await tx.query<Stored>(
    `SELECT ${COLUMNS} FROM sandbox_clocks WHERE customer_id = $1`,
    [customerId],
  );
  return row === undefined ? null : toRow(row);
}

/** Customers after `afterId` whose clock was moved before `until`, and whose workflows were not all told of it, by id. */
export async function readUntoldClocks(
  tx: SystemTransaction,
  until: Date,
  afterId: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `SELECT customer_id AS id FROM sandbox_clocks
     WHERE told_version < version AND advanced_at < $1 AND customer_id > $2
     ORDER BY customer_id LIMIT $3`,
    [until, afterId, limit],
  );
  return rows.map(({ id }) => id);
}

/** Every open workflow of the scope was told of this version of its clock. */
export async function markClockTold(
  tx: ScopedTransaction,
  { customerId }: Scope,
  version: number,
): Promise<void> {
  await tx.query(
    `UPDATE sandbox_clocks SET told_version = $2 WHERE customer_id = $1 AND told_version < $2`,
    [customerId, version],
  );
}

/** The scope's payments that have not ended, after `afterId`, by id. */
export async function listUnfinishedPayments(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  afterId: string,
  limit: number,
): Promise<{ readonly id: string; readonly workflowId: string }[]> {
  return tx.query<{ id: string; workflowId: string }>(
    `SELECT id, workflow_id AS "workflowId" FROM payments
     WHERE customer_id = $1 AND environment = $2 AND status IN ('PROCESSING', 'ON_HOLD', 'SENT') AND id > $3
     ORDER BY id LIMIT $4`,
    [customerId, environment, afterId, limit],
  );
}

/** The scope's endpoints with a delivery that failed and is tried again. */
export async function listRetryingEndpoints(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
): Promise<EndpointRef[]> {
  return tx.query<EndpointRef>(
    `SELECT e.customer_id AS "customerId", e.environment, e.id AS "endpointId"
     FROM webhook_endpoints e
     WHERE e.customer_id = $1 AND e.environment = $2 AND e.status = 'ENABLED' AND EXISTS (
       SELECT FROM webhook_deliveries d
       WHERE d.endpoint_id = e.id AND d.status = 'PENDING' AND d.attempts > 0)`,
    [customerId, environment],
  );
}
