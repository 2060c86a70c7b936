import pg from 'pg';
import type { Happening } from '../../domain/happening.ts';
import type { Scope } from '../../domain/scope.ts';
import { isStatementTimeout, SlowList } from './outage.ts';
import { LOCK_WAIT_MS } from './pool.ts';
import type { NamedValues } from './named-parameters.ts';
import { prepareStatement, type StatementValues } from './prepared-statement.ts';

/** Runs SQL on one connection, inside the transaction that it belongs to. */
interface Statements {
  /** Values are given in order for `$1`, `$2`, ... or by name for `:name`. */
  query<Row extends object>(text: string, values?: StatementValues): Promise<Row[]>;
}

/** A transaction that sees and changes the rows of one scope. What nearly every store function takes. */
export interface ScopedTransaction extends Statements {
  readonly sees: 'ONE_SCOPE';
  /** Has something done once this transaction has committed, by who opened the database; the same task once. */
  afterCommit(task: AfterCommit): void;
}

/** A transaction of the system role, which sees every scope. Not to be had where a scope is known. */
export interface SystemTransaction extends Statements {
  readonly sees: 'EVERY_SCOPE';
}

/** For the few store functions that both kinds of work need. */
export type AnyTransaction = ScopedTransaction | SystemTransaction;

/**
 * What a transaction leaves to be done once it has committed: which kind of work, for which row. It is done at most
 * once: where the process dies after the commit, it is lost, and something else must make up for it.
 */
export interface AfterCommit {
  readonly kind: string;
  readonly id: string;
  /** For a task that counts. */
  readonly happening?: Happening;
}

/** Does what committed transactions of a scope left to be done. Must not throw, and nothing waits for it. */
export type RunAfterCommit = (scope: Scope, tasks: readonly AfterCommit[]) => void;

export interface WriteOptions {
  /** How long a statement waits for a lock, in ms; 10 s unless given. */
  readonly lockWaitMs?: number;
  /** An SQL expression that takes one more lock, in the statement that enters the scope. */
  readonly alsoLock?: string;
}

export interface SystemOptions {
  /**
   * The work is one statement, which is a transaction by itself: one round trip in place of three. A second statement
   * is refused.
   */
  readonly isOneStatement: boolean;
}

/** For work of the system role that is one statement. */
export const ONE_STATEMENT: SystemOptions = { isOneStatement: true };

export interface Database {
  /**
   * Runs work in one transaction that sees and changes one scope only. A deadlock runs it again, so
   * work must do nothing but SQL.
   */
  write<Result>(
    scope: Scope,
    work: (tx: ScopedTransaction) => Promise<Result>,
    options?: WriteOptions,
  ): Promise<Result>;
  /** The same while no other transaction writes in the scope: earlier writers have ended, others wait. */
  exclusive<Result>(
    scope: Scope,
    work: (tx: ScopedTransaction) => Promise<Result>,
  ): Promise<Result>;
  /** The same without a right to change anything. */
  read<Result>(scope: Scope, work: (tx: ScopedTransaction) => Promise<Result>): Promise<Result>;
  /** The same as `read` for a list, whose filters the caller chooses: SlowList after 2 s of a statement. */
  list<Result>(scope: Scope, work: (tx: ScopedTransaction) => Promise<Result>): Promise<Result>;
  /**
   * Runs one statement that is a transaction by itself: it enters the scope by a function of the database,
   * to which it gives `:customerId` and `:environment`. A deadlock runs it again.
   */
  alone<Row extends object>(scope: Scope, text: string, values: NamedValues): Promise<Row[]>;
  /** Runs one statement of no scope: look-up functions and tables without a customer. */
  query<Row extends object>(text: string, values?: StatementValues): Promise<Row[]>;
  /** The time by PostgreSQL's clock. It waits for an answer as long as the connection does. */
  serverTime(): Promise<Date>;
  /** Runs work that sees every scope. For the reconciler, statements, and seeds only. */
  system<Result>(
    work: (tx: SystemTransaction) => Promise<Result>,
    options?: SystemOptions,
  ): Promise<Result>;
  close(): Promise<void>;
}

/**
 * The lock of a scope's writers: each holds it shared, `exclusive` holds it alone. Functions of the database take it
 * too, by the same key, whose prefix is older than its use.
 */
const WRITERS_LOCK = `hashtextextended('writers:' || $1 || ':' || $2, 0)`;

/** Binds the transaction to its scope. */
const ENTER_SCOPE_TO_WRITE = `SELECT set_config('causeway.customer', $1, true),
  set_config('causeway.environment', $2, true), set_config('lock_timeout', $3, true),
  pg_advisory_xact_lock_shared(${WRITERS_LOCK})`;
const ENTER_SCOPE_ALONE = ENTER_SCOPE_TO_WRITE.replace(
  'pg_advisory_xact_lock_shared',
  'pg_advisory_xact_lock',
);
const ENTER_SCOPE_TO_READ = `SELECT set_config('causeway.customer', $1, true),
  set_config('causeway.environment', $2, true)`;
/** The best plan of a list depends on its filters: it is made for their values. */
const ENTER_SCOPE_TO_LIST = `${ENTER_SCOPE_TO_READ}, set_config('statement_timeout', '2000', true),
  set_config('plan_cache_mode', 'force_custom_plan', true)`;

/** A queued exclusive lock holds up every writer behind it: better to come again than to wait. */
const WAIT_ALONE_MS = 500;

/** Of two transactions in each other's way PostgreSQL undoes one; whole, so it may simply run again. */
const CONFLICT_TRIES = 3;
const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001');

async function againAfterConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= CONFLICT_TRIES || !isConflict(error)) throw error;
    }
  }
}

/** A text with its values in place of `$1`, `$2`, ...: two statements in one round trip take no parameters. */
const withValues = (text: string, values: readonly string[]): string =>
  text.replace(/\$(\d)/g, (_, place: string) => {
    const value = values[Number(place) - 1];
    if (value === undefined) throw new Error(`there is no value for $${place}`);
    return pg.escapeLiteral(value);
  });

export function createDatabase(deps: {
  readonly appPool: pg.Pool;
  readonly systemPool: pg.Pool;
  readonly runAfterCommit: RunAfterCommit;
}): Database {
  /**
   * A connection on which anything but PostgreSQL's own refusal came back is not used again, not even
   * to roll back: its answer may be on its way still. PostgreSQL rolls back where a connection ends.
   */
  async function transact<Result>(
    pool: pg.Pool,
    begin: string,
    work: (query: Statements['query']) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect();
    let broken: Error | undefined;
    const query = async <Row extends object>(text: string, values?: StatementValues) => {
      if (broken !== undefined) throw broken;
      const statement = prepareStatement(text, values);
      try {
        return (await client.query<Row & pg.QueryResultRow>(statement)).rows as Row[];
      } catch (error) {
        if (error instanceof Error && !(error instanceof pg.DatabaseError)) broken = error;
        throw error;
      }
    };
    try {
      await query(begin);
      const result = await work(query);
      await query('COMMIT');
      return result;
    } catch (error) {
      if (broken === undefined) {
        await query('ROLLBACK').catch((cause: unknown) => {
          broken = new Error('the rollback failed', { cause });
        });
      }
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Runs work in a transaction of one scope, and what it left to be done once that has committed. */
  async function transactInScope<Result>(
    scope: Scope,
    begin: string,
    work: (tx: ScopedTransaction) => Promise<Result>,
  ): Promise<Result> {
    const tasks = new Map<string, AfterCommit>();
    const afterCommit = (task: AfterCommit) => void tasks.set(`${task.kind}/${task.id}`, task);
    const result = await transact(deps.appPool, begin, (query) =>
      work({ sees: 'ONE_SCOPE', query, afterCommit }),
    );
    if (tasks.size > 0) deps.runAfterCommit(scope, [...tasks.values()]);
    return result;
  }

  function change<Result>(
    enterScope: string,
    scope: Scope,
    work: (tx: ScopedTransaction) => Promise<Result>,
    lockWaitMs = LOCK_WAIT_MS,
  ): Promise<Result> {
    const values = [scope.customerId, scope.environment, String(lockWaitMs)];
    const begin = `BEGIN; ${withValues(enterScope, values)}`;
    return againAfterConflict(() => transactInScope(scope, begin, work));
  }

  const look = <Result>(
    enterScope: string,
    scope: Scope,
    work: (tx: ScopedTransaction) => Promise<Result>,
  ) => {
    const enter = withValues(enterScope, [scope.customerId, scope.environment]);
    return transactInScope(scope, `BEGIN READ ONLY; ${enter}`, work);
  };

  /** Runs one statement of the system role without a transaction around it, and no other. */
  function oneStatement(): Statements['query'] {
    let isAsked = false;
    return async <Row extends object>(text: string, values?: StatementValues) => {
      if (isAsked) throw new Error('this work is one statement');
      isAsked = true;
      const statement = prepareStatement(text, values);
      return (await deps.systemPool.query<Row & pg.QueryResultRow>(statement)).rows as Row[];
    };
  }

  async function query<Row extends object>(text: string, values?: StatementValues) {
    const statement = prepareStatement(text, values);
    return (await deps.appPool.query<Row & pg.QueryResultRow>(statement)).rows as Row[];
  }

  return {
    write: (scope, work, { lockWaitMs, alsoLock } = {}) => {
      const also = alsoLock === undefined ? '' : `, ${alsoLock}`;
      return change(`${ENTER_SCOPE_TO_WRITE}${also}`, scope, work, lockWaitMs);
    },
    exclusive: (scope, work) => change(ENTER_SCOPE_ALONE, scope, work, WAIT_ALONE_MS),
    read: (scope, work) => look(ENTER_SCOPE_TO_READ, scope, work),
    list: (scope, work) =>
      look(ENTER_SCOPE_TO_LIST, scope, work).catch((error: unknown) => {
        throw isStatementTimeout(error) ? new SlowList({ cause: error }) : error;
      }),
    alone: <Row extends object>(
      { customerId, environment }: Scope,
      text: string,
      values: NamedValues,
    ) => againAfterConflict(() => query<Row>(text, { ...values, customerId, environment })),
    query,
    async serverTime() {
      const sql = 'SELECT clock_timestamp() AS now';
      const [row] = (await deps.appPool.query<{ now: Date }>(sql)).rows;
      if (row === undefined) throw new Error('PostgreSQL did not say what time it is');
      return row.now;
    },
    system: (work, { isOneStatement } = { isOneStatement: false }) =>
      isOneStatement
        ? work({ sees: 'EVERY_SCOPE', query: oneStatement() })
        : transact(deps.systemPool, 'BEGIN', (query) => work({ sees: 'EVERY_SCOPE', query })),
    async close() {
      await Promise.all([deps.appPool.end(), deps.systemPool.end()]);
    },
  };
}
