import type { Database, Transaction } from '../src/db/database.ts';
import {
  readOverdueEndpoints,
  readUnclaimedPayments,
  readUnfinishedPayments,
  readUnheardKycReports,
  readUnheardReports,
  readUnopenedKycChecks,
} from '../src/db/sweep-store.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { WorkflowStarter } from '../src/temporal/workflow-starter.ts';
import type { SweepActivities } from './types.ts';

export interface SweepDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly starter: WorkflowStarter;
  /** Anything that has waited so long is taken for lost. */
  readonly lostAfterMs: number;
}

/** Rows a look takes at the most; the next run takes the rest. */
const BATCH = 500;
/** Starts and signals under way at once. */
const CONCURRENCY = 20;
/** An unfinished payment that moved within this is being worked on. */
const UNTOUCHED_MS = 3_600_000;

/** Finds what was lost between a commit and Temporal, and says it again. Saying twice is harmless. */
export function createSweepActivities(deps: SweepDeps): SweepActivities {
  const { db, starter } = deps;
  const before = (ms: number) => new Date(deps.clock.now().getTime() - ms);
  const find = <Row>(read: (tx: Transaction, until: Date, limit: number) => Promise<Row[]>) =>
    db.system((tx) => read(tx, before(deps.lostAfterMs), BATCH));

  return {
    async startForgotten() {
      await forEach(await find(readUnclaimedPayments), ({ workflowId, payment }) =>
        starter.startPayment(workflowId, payment),
      );
      await forEach(await find(readUnopenedKycChecks), (check) => starter.startKycCheck(check));
    },

    async repeatBells() {
      await forEach(await find(readUnheardReports), ({ workflowId, payment, reportId }) =>
        starter.ringPayment(workflowId, payment, reportId),
      );
      await forEach(await find(readUnheardKycReports), ({ check, reportId }) =>
        starter.ringKycCheck(check, reportId),
      );
      await forEach(await find(readOverdueEndpoints), (endpoint) => starter.ringEndpoint(endpoint));
    },

    async restartUnfinished() {
      let after = '';
      for (;;) {
        const from = after;
        const found = await db.system((tx) =>
          readUnfinishedPayments(tx, before(UNTOUCHED_MS), from, BATCH),
        );
        await forEach(found, ({ workflowId, payment }) =>
          starter.startPayment(workflowId, payment),
        );
        const last = found.at(-1);
        if (found.length < BATCH || last === undefined) return;
        after = last.payment.paymentId;
      }
    },
  };
}

/** A bounded number at a time; one that fails does not keep the others from their turn. */
async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  let firstFailure: unknown;
  const lane = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      await work(item).catch((error: unknown) => {
        firstFailure ??= error;
      });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
  if (firstFailure !== undefined) throw firstFailure as Error;
}
