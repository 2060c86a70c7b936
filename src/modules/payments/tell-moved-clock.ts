import {
  findSandboxClock,
  listRetryingEndpoints,
  listUnfinishedPayments,
  markClockTold,
} from '../../db/customers/sandbox-clock-store.ts';
import type { Database } from '../../db/client/database.ts';
import type { Scope } from '../../domain/scope.ts';
import type { WorkflowClient } from '../../domain/workflows/workflow-client.ts';

/** Payments woken at the same time, and read at once. */
const PAGE = 20;

interface TellClockDeps {
  readonly db: Database;
  readonly workflows: Pick<WorkflowClient, 'wakePayment' | 'wakeEndpoint'>;
}

/**
 * Wakes every workflow of a scope that waits for a time, once the scope's clock was moved: each looks at its rows and
 * computes anew how long it waits. Wakes carry nothing, so telling twice is harmless. Throws where Temporal did not take
 * them all: the clock stays untold, and the reconciler tells again.
 */
export async function tellMovedClock(
  { db, workflows }: TellClockDeps,
  scope: Scope,
): Promise<void> {
  const clock = await db.read(scope, (tx) => findSandboxClock(tx, scope));
  if (clock === null) return;
  const about = `clock-${String(clock.version)}`;
  for (let after = ''; ;) {
    const from = after;
    const page = await db.read(scope, (tx) => listUnfinishedPayments(tx, scope, from, PAGE));
    await Promise.all(
      page.map(({ id, workflowId }) =>
        workflows.wakePayment(workflowId, { ...scope, paymentId: id }, about),
      ),
    );
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.id;
  }
  const endpoints = await db.read(scope, (tx) => listRetryingEndpoints(tx, scope));
  for (const endpoint of endpoints) await workflows.wakeEndpoint(endpoint);
  await db.write(scope, (tx) => markClockTold(tx, scope, clock.version));
}
