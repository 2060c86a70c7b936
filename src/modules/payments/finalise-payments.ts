import type { Database } from '../../db/client/database.ts';
import {
  findAwaitedPayments,
  lockProvisionalPayments,
  readDuePayments,
  type DuePayment,
} from '../../db/payments/finality-store.ts';
import type { PaymentRow } from '../../db/payments/payment-store.ts';
import { updatePayments } from '../../db/payments/payment-write-store.ts';
import { systemActor } from '../../domain/actor.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import { nextVersion } from './change-payment.ts';

const PAGE_PAYMENTS = 500;
/** Payments of a customer that become final in one transaction: few round trips, short locks. */
const BATCH_PAYMENTS = 50;
/** Transactions at once: each is a connection of the pool that the process shares. */
const BATCHES_AT_ONCE = 2;

export interface FinaliseDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Told of every page. */
  readonly heartbeat: () => void;
}

/**
 * Makes every payment final that a statement has confirmed and that can no longer come back. To run it
 * twice, at once or late is harmless: each payment is judged under its lock. One that fails stops no other;
 * the first error is thrown once all have had their turn.
 */
export async function finalisePayments(
  deps: FinaliseDeps,
  environment: Environment,
): Promise<void> {
  const now = deps.clock.now();
  const failures: unknown[] = [];
  for (let after: DuePayment | null = null; ;) {
    const page = { environment, now, until: now, after, limit: PAGE_PAYMENTS };
    const due: DuePayment[] = await deps.db.system((tx) => readDuePayments(tx, page));
    await finalisePage(deps, environment, due, failures);
    deps.heartbeat();
    after = due.at(-1) ?? null;
    if (due.length < PAGE_PAYMENTS) break;
  }
  if (failures.length > 0) throw failures[0];
}

async function finalisePage(
  deps: FinaliseDeps,
  environment: Environment,
  due: readonly DuePayment[],
  failures: unknown[],
): Promise<void> {
  const waiting = intoBatches(due, environment).values();
  const work = async (): Promise<void> => {
    for (const { scope, ids } of waiting) {
      await finaliseTogether(deps, scope, ids).catch(async (error: unknown) => {
        if (ids.length === 1) failures.push(error);
        // One of them cannot: each for itself, so that it stops no other.
        else await finaliseOneByOne(deps, scope, ids, failures);
      });
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, work));
}

async function finaliseOneByOne(
  deps: FinaliseDeps,
  scope: Scope,
  ids: readonly string[],
  failures: unknown[],
): Promise<void> {
  for (const id of ids) {
    await finaliseTogether(deps, scope, [id]).catch((error: unknown) => failures.push(error));
  }
}

function finaliseTogether(
  { db, clock }: FinaliseDeps,
  scope: Scope,
  ids: readonly string[],
): Promise<void> {
  return db.write(scope, async (tx) => {
    const locked = await lockProvisionalPayments(tx, scope, ids);
    if (locked.length === 0) return;
    const awaited = await findAwaitedPayments(
      tx,
      scope,
      locked.map(({ id }) => id),
    );
    const now = clock.now();
    const versions = locked
      .filter((payment) => !awaited.has(payment.id) && isDue(payment, now))
      .map((payment) => nextVersion(payment, { becomesFinal: true }, systemActor('finality'), now));
    if (versions.length > 0) await updatePayments(tx, scope, versions, now);
  });
}

function isDue({ finalDueAt }: PaymentRow, now: Date): boolean {
  return finalDueAt !== null && finalDueAt.getTime() <= now.getTime();
}

interface Batch {
  readonly scope: Scope;
  readonly ids: string[];
}

/** Payments of one customer together, in the order in which they are due. */
function intoBatches(due: readonly DuePayment[], environment: Environment): Batch[] {
  const batches: Batch[] = [];
  const open = new Map<string, Batch>();
  for (const { customerId, paymentId } of due) {
    const known = open.get(customerId);
    const batch = known ?? { scope: { customerId, environment }, ids: [] };
    if (known === undefined) batches.push(batch);
    batch.ids.push(paymentId);
    if (batch.ids.length < BATCH_PAYMENTS) open.set(customerId, batch);
    else open.delete(customerId);
  }
  return batches;
}
