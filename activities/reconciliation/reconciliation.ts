import type { Database } from '../../src/db/client/database.ts';
import {
  findStatement,
  listUnfinishedStatements,
  type StatementRow,
} from '../../src/db/reconciliation/statement-store.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { CorridorTable } from '../../src/domain/payments/corridors/corridor-table.ts';
import { rereadWaitMs } from '../../src/domain/reconciliation/reread-wait.ts';
import type { Environment } from '../../src/domain/scope.ts';
import { SourceUnreadable, type StatementSource } from '../../src/domain/payments/connector.ts';
import type { ConnectorRegistry } from '../../src/domain/payments/connector-registry.ts';
import type { StatementRef } from '../../src/domain/workflows/work-refs.ts';
import type { WorkflowClient } from '../../src/domain/workflows/workflow-client.ts';
import { handOnDeposits } from '../../src/modules/ledger/funding/hand-on-deposits.ts';
import { readStatement } from '../../src/modules/reconciliation/read-statement.ts';
import type { RaiseAlarm } from '../../src/modules/reconciliation/reconciliation-alarm.ts';
import { reconcileStatement } from '../../src/modules/reconciliation/reconcile-statement.ts';
import {
  createStalenessAlarm,
  listStatements,
} from '../../src/modules/reconciliation/list-statements.ts';
import { ActivityError } from '../failures.ts';

/** Statements that one listing hands on; the schedule brings the others. */
const STATEMENTS_MAX = 100;
const DEPOSIT_LIMIT = { timeoutMs: 2_000 };
/** How long a statement waits for a connector that was taken out of the configuration. */
const NO_CONNECTOR_RETRY_MS = 30_000;

interface ReconciliationActivityDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly corridors: CorridorTable;
  readonly connectors: Pick<ConnectorRegistry, 'statementSources' | 'depositor'>;
  /** Tells Temporal that we are alive, and at which line. */
  readonly heartbeat: (line: number) => void;
  readonly wakePayment: WorkflowClient['wakePayment'];
  readonly alarm: RaiseAlarm;
  /** How long the bank may take to put a payout on a statement. */
  readonly missingAfterMs: Readonly<Record<Environment, number>>;
}

/** Statements: listed, read, reconciled. Each may run twice, or at the same time as itself. */
export function createReconciliationActivities(deps: ReconciliationActivityDeps) {
  const { db } = deps;

  async function findOne(ref: StatementRef): Promise<StatementRow> {
    const id = /^[0-9]{1,18}$/.test(ref.statementId) ? BigInt(ref.statementId) : null;
    const found = id === null ? null : await db.system((tx) => findStatement(tx, id));
    const isMeant = found?.environment === ref.environment && found.connector === ref.connector;
    if (!isMeant) throw new ActivityError('NOT_FOUND');
    return found;
  }

  function sourceOf({ environment, connector }: StatementRef): StatementSource {
    const sources = deps.connectors.statementSources(environment);
    const source = sources.find(({ name }) => name === connector);
    if (source !== undefined) return source;
    throw new ActivityError('STATEMENT_UNREACHABLE', { retryAfterMs: NO_CONNECTOR_RETRY_MS });
  }

  async function listFrom(environment: Environment, source: StatementSource) {
    const origin = { environment, connector: source.name };
    // Before the bank is asked: one that is away for days is out of sight, too.
    await alarmIfStale(origin);
    await listStatements(deps, origin, async (after) => {
      const listed = await source.listStatements(after).catch(throwUnreachable);
      return listed.map(({ id, sequence, account, from, to }) => ({
        bankStatementId: id,
        sequence,
        account,
        fromAt: new Date(from),
        toAt: new Date(to),
      }));
    });
  }

  const alarmIfStale = createStalenessAlarm(deps);

  return {
    /** Lists what the bank has beyond the last known sequence; answers statements not yet reconciled. */
    async listStatements(environment: Environment): Promise<StatementRef[]> {
      const unfinished: StatementRef[] = [];
      let outage: unknown;
      // Before the bank is asked, whose next statement shows them.
      const depositor = environment === 'test' ? deps.connectors.depositor() : null;
      if (depositor !== null) {
        await handOnDeposits(deps, (deposit) => depositor.deposit(deposit, DEPOSIT_LIMIT));
      }
      for (const source of deps.connectors.statementSources(environment)) {
        // One bank that is away keeps no other's statements from being read.
        await listFrom(environment, source).catch((error: unknown) => {
          outage ??= error;
        });
        const origin = { environment, connector: source.name };
        const rows = await db.system((tx) => listUnfinishedStatements(tx, origin, STATEMENTS_MAX));
        unfinished.push(...rows.map(({ id }) => ({ ...origin, statementId: String(id) })));
      }
      if (outage !== undefined && unfinished.length === 0) throw outage as Error;
      return unfinished;
    },

    /**
     * Stores a statement's lines, each once; heartbeats the line number. A file that cannot be read is an
     * error that is tried again, further and further apart, until the bank has mended it.
     */
    async readStatement(ref: StatementRef): Promise<void> {
      const statement = await findOne(ref);
      const source = sourceOf(ref);
      const openPieces = () => source.readStatement(statement.bankStatementId);
      const reading = readStatement(deps, statement, openPieces);
      const outcome = await reading.catch(throwUnreachable);
      if (outcome.kind === 'SUPERSEDED') throw new ActivityError('STATEMENT_BUSY');
      if (outcome.kind === 'UNREADABLE') {
        const retryAfterMs = rereadWaitMs(outcome.times);
        throw new ActivityError('STATEMENT_UNREADABLE', { retryAfterMs });
      }
    },

    /** Matches the stored lines that are not judged yet, slice by slice; heartbeats. */
    async reconcileStatement(ref: StatementRef): Promise<void> {
      const isDone = await reconcileStatement(deps, await findOne(ref));
      // Not read, or with lines that wait: a workflow that ended now would not be started again.
      if (!isDone) throw new ActivityError('STATEMENT_BUSY');
    },
  };
}

function throwUnreachable(error: unknown): never {
  if (error instanceof SourceUnreadable) throw new ActivityError('STATEMENT_UNREACHABLE');
  throw error;
}
