import type { Reader } from './reader.ts';
import { UNFINISHED } from './reserved-money.ts';
import type { IsWorkflowOpen } from './temporal-probe.ts';
import { SAMPLES_MAX, type Findings } from './verdict.ts';

interface Unfinished {
  readonly id: string;
  readonly workflowId: string;
}

const BATCH = 500;
const ASKED_AT_ONCE = 16;

/**
 * I10, the workflow's half: no unfinished payment without an open workflow. Younger payments than
 * `graceSeconds` are left out: the answer to a partner does not wait for the workflow's start.
 * Must run outside a snapshot: a payment may finish between the look at it and the question.
 */
export async function unfinishedPaymentsHaveAWorkflow(
  reader: Reader,
  isWorkflowOpen: IsWorkflowOpen,
  graceSeconds: number,
): Promise<Findings> {
  let checked = 0;
  const lost: Unfinished[] = [];
  for (let after = ''; ;) {
    const batch = await reader.query<Unfinished>(
      `SELECT id, workflow_id AS "workflowId" FROM payments
       WHERE status IN ${UNFINISHED} AND created_at <= now() - make_interval(secs => $2) AND id > $1
       ORDER BY id LIMIT ${BATCH}`,
      [after, graceSeconds],
    );
    checked += batch.length;
    lost.push(...(await keepLost(reader, batch, isWorkflowOpen)));
    const last = batch.at(-1);
    if (batch.length < BATCH || last === undefined) break;
    after = last.id;
  }
  return {
    checked,
    violations: lost.length,
    samples: lost.slice(0, SAMPLES_MAX).map((payment) => ({
      subject: payment.id,
      problem: `is unfinished and workflow ${payment.workflowId} is not open`,
    })),
  };
}

/** Asked twice, then looked up again: between two looks a workflow starts, or a payment ends. */
async function keepLost(
  reader: Reader,
  payments: readonly Unfinished[],
  isWorkflowOpen: IsWorkflowOpen,
): Promise<Unfinished[]> {
  const suspects = await keepClosed(await keepClosed(payments, isWorkflowOpen), isWorkflowOpen);
  if (suspects.length === 0) return [];
  return reader.query<Unfinished>(
    `SELECT id, workflow_id AS "workflowId" FROM payments
     WHERE id = ANY ($1) AND status IN ${UNFINISHED} ORDER BY id`,
    [suspects.map((payment) => payment.id)],
  );
}

async function keepClosed(
  payments: readonly Unfinished[],
  isWorkflowOpen: IsWorkflowOpen,
): Promise<Unfinished[]> {
  const closed: Unfinished[] = [];
  const waiting = payments.values();
  const ask = async (): Promise<void> => {
    for (const payment of waiting) {
      if (!(await isWorkflowOpen(payment.workflowId))) closed.push(payment);
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask));
  return closed;
}
