import type { Database } from '../src/db/database.ts';
import {
  findStatement,
  listUnfinishedStatements,
  type StatementRow,
} from '../src/db/statement-store.ts';
import type { Clock } from '../src/domain/clock.ts';
import { rereadWaitMs } from '../src/domain/reconciliation/reread-wait.ts';
import type { Environment } from '../src/domain/scope.ts';
import { parseCamt053, StatementUnreadable } from '../src/iso20022/camt053.ts';
import { SourceUnreadable, type StatementSource } from '../src/connectors/connector.ts';
import type { WorkflowClient } from '../src/domain/workflow-client.ts';
import { readStatement, type Unreadable } from '../src/reconciliation/read-statement.ts';
import type { RaiseAlarm } from '../src/reconciliation/reconciliation-alarm.ts';
import { reconcileStatement } from '../src/reconciliation/reconcile-statement.ts';
import { createStalenessAlarm, listStatements } from '../src/reconciliation/list-statements.ts';
import { ActivityError } from './failures.ts';
import type { ReconciliationActivities, StatementRef } from './types.ts';

/** Statements that one listing hands on; the schedule brings the others. */
const STATEMENTS_MAX = 100;
export interface ReconciliationActivityDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly rails: Readonly<Record<Environment, StatementSource | null>>;
  /** Tells Temporal that we are alive, and at which line. */
  readonly heartbeat: (line: number) => void;
  readonly wakePayment: WorkflowClient['wakePayment'];
  readonly alarm: RaiseAlarm;
  /** How long the bank may take to put a payout on a statement. */
  readonly missingAfterMs: Readonly<Record<Environment, number>>;
}

/** Statements: listed, read, reconciled. Each may run twice, or at the same time as itself. */
export function createReconciliationActivities(
  deps: ReconciliationActivityDeps,
): ReconciliationActivities {
  const { db } = deps;

  async function findOne(ref: StatementRef): Promise<StatementRow> {
    const id = /^[0-9]{1,18}$/.test(ref.statementId) ? BigInt(ref.statementId) : null;
    const found = id === null ? null : await db.system((tx) => findStatement(tx, id));
    const isMeant = found?.environment === ref.environment && found.connector === ref.connector;
    if (!isMeant) throw new ActivityError('NOT_FOUND');
    return found;
  }

  function railOf(environment: Environment, name: string): StatementSource {
    const rail = deps.rails[environment];
    // Taken out of the configuration: the statement waits for it to come back.
    if (rail?.name !== name) {
      throw new ActivityError('STATEMENT_UNREACHABLE', { retryAfterMs: 30_000 });
    }
    return rail;
  }

  const alarmIfStale = createStalenessAlarm(deps);

  return {
    async listStatements(environment) {
      const rail = deps.rails[environment];
      if (rail === null) return [];
      const origin = { environment, connector: rail.name };
      // Before the bank is asked: one that is away for days is out of sight, too.
      await alarmIfStale(origin);
      await listStatements(deps, origin, async (after) => {
        const listed = await rail.listStatements(after).catch(throwUnreachable);
        return listed.map(({ id, sequence, account, from, to }) => ({
          bankStatementId: id,
          sequence,
          account,
          fromAt: new Date(from),
          toAt: new Date(to),
        }));
      });
      const unfinished = await db.system((tx) =>
        listUnfinishedStatements(tx, origin, STATEMENTS_MAX),
      );
      return unfinished.map(({ id }) => ({ ...origin, statementId: String(id) }));
    },

    async readStatement(ref) {
      const statement = await findOne(ref);
      const rail = railOf(ref.environment, ref.connector);
      const openPieces = () => parseCamt053(openStream(rail, statement.bankStatementId));
      const reading = readStatement(deps, statement, openPieces, judgeFault);
      const outcome = await reading.catch(throwUnreachable);
      if (outcome.kind === 'SUPERSEDED') throw new ActivityError('STATEMENT_BUSY');
      if (outcome.kind === 'UNREADABLE') {
        const retryAfterMs = rereadWaitMs(outcome.times);
        throw new ActivityError('STATEMENT_UNREADABLE', { retryAfterMs });
      }
    },

    async reconcileStatement(ref) {
      const isDone = await reconcileStatement(deps, await findOne(ref));
      // Not read, or with lines that wait: a workflow that ended now would not be started again.
      if (!isDone) throw new ActivityError('STATEMENT_BUSY');
    },
  };
}

async function* openStream(
  rail: StatementSource,
  bankStatementId: string,
): AsyncGenerator<Uint8Array> {
  yield* await rail.openStatement(bankStatementId);
}

/** Which faults lie in the file itself, so that only the bank can mend them. */
function judgeFault(error: unknown): Unreadable | null {
  if (error instanceof StatementUnreadable) {
    const { problem, line, column } = error;
    return { problem, line, column };
  }
  const isTooLarge = error instanceof SourceUnreadable && error.isTooLarge;
  return isTooLarge ? { problem: 'TOO_LARGE', line: 0, column: 0 } : null;
}

function throwUnreachable(error: unknown): never {
  if (error instanceof SourceUnreadable) throw new ActivityError('STATEMENT_UNREACHABLE');
  throw error;
}
