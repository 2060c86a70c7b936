import type pg from 'pg';
import type { Scope } from '../domain/scope.ts';
import { prepareStatement } from './prepared-statement.ts';

/** What a store needs: one connection that runs SQL inside the transaction it belongs to. */
export interface Transaction {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Remembers an endpoint whose wake must ring once this transaction has committed. */
  noteWake(endpointId: string): void;
}

/** The endpoints to ring after a commit. A lost ring is repeated by the sweep. */
export type WakeEndpoints = (scope: Scope, endpointIds: readonly string[]) => void;

export interface Database {
  /**
   * Runs work in one transaction that sees and changes one scope only. A deadlock runs it again, so
   * work must do nothing but SQL.
   */
  write<Result>(scope: Scope, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** The same while nobody else writes in the scope: those before have committed, those after wait. */
  exclusive<Result>(scope: Scope, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** The same without a right to change anything. */
  read<Result>(scope: Scope, work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /** Runs one statement of no scope: look-up functions and tables that belong to nobody. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** The time by PostgreSQL's clock. It waits for an answer as long as the connection does. */
  serverTime(): Promise<Date>;
  /** Runs work that sees every scope. For sweep, statements and seeds only. */
  system<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * Binds the transaction to its scope. The shared lock is the writers' side of a webhook endpoint's
 * wake: a drain clears its flag under the exclusive one, so no writer can have read the flag before
 * the clearing and commit its event after the drain's last look.
 */
const ENTER_SCOPE_TO_WRITE = `SELECT set_config('causeway.customer', $1, true),
  set_config('causeway.environment', $2, true),
  pg_advisory_xact_lock_shared(hashtextextended('wakes:' || $1 || ':' || $2, 0))`;
const ENTER_SCOPE_ALONE = ENTER_SCOPE_TO_WRITE.replace(
  'pg_advisory_xact_lock_shared',
  'pg_advisory_xact_lock',
);
const ENTER_SCOPE_TO_READ = `SELECT set_config('causeway.customer', $1, true),
  set_config('causeway.environment', $2, true)`;

/** A queued exclusive lock holds up every writer behind it: better to come again than to wait. */
const WAIT_BRIEFLY = "SET LOCAL lock_timeout = '500ms'";

/** Of two transactions in each other's way PostgreSQL undoes one; whole, so it may simply run again. */
const CONFLICT_TRIES = 3;
const isConflict = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === '40P01' || error.code === '40001');

type Begin = readonly (readonly [text: string, values?: readonly unknown[]])[];

export function createDatabase(deps: {
  readonly appPool: pg.Pool;
  readonly systemPool: pg.Pool;
  readonly ring: WakeEndpoints;
}): Database {
  async function transact<Result>(
    pool: pg.Pool,
    begin: Begin,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<{ result: Result; wakes: string[] }> {
    const client = await pool.connect();
    const wakes = new Set<string>();
    let broken: Error | undefined;
    const query = async <Row extends object>(text: string, values?: readonly unknown[]) =>
      (await client.query<Row & pg.QueryResultRow>(prepareStatement(text, values))).rows as Row[];
    try {
      for (const [text, values] of begin) await query(text, values);
      const result = await work({ query, noteWake: (id) => wakes.add(id) });
      await query('COMMIT');
      return { result, wakes: [...wakes] };
    } catch (error) {
      await query('ROLLBACK').catch((cause: unknown) => {
        broken = cause instanceof Error ? cause : new Error('rollback failed');
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  async function change<Result>(
    enterScope: string,
    scope: Scope,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const enter = [enterScope, [scope.customerId, scope.environment]] as const;
    const isAlone = enterScope === ENTER_SCOPE_ALONE;
    const begin: Begin = [['BEGIN'], ...(isAlone ? ([[WAIT_BRIEFLY]] as const) : []), [...enter]];
    for (let attempt = 1; ; attempt += 1) {
      try {
        const done = await transact(deps.appPool, begin, work);
        if (done.wakes.length > 0) deps.ring(scope, done.wakes);
        return done.result;
      } catch (error) {
        if (attempt >= CONFLICT_TRIES || !isConflict(error)) throw error;
      }
    }
  }

  return {
    write: (scope, work) => change(ENTER_SCOPE_TO_WRITE, scope, work),
    exclusive: (scope, work) => change(ENTER_SCOPE_ALONE, scope, work),
    async read(scope, work) {
      const enter = [ENTER_SCOPE_TO_READ, [scope.customerId, scope.environment]] as const;
      return (await transact(deps.appPool, [['BEGIN READ ONLY'], [...enter]], work)).result;
    },
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      const statement = prepareStatement(text, values);
      return (await deps.appPool.query<Row & pg.QueryResultRow>(statement)).rows as Row[];
    },
    async serverTime() {
      const sql = 'SELECT clock_timestamp() AS now';
      const [row] = (await deps.appPool.query<{ now: Date }>(sql)).rows;
      if (row === undefined) throw new Error('PostgreSQL did not say what time it is');
      return row.now;
    },
    async system(work) {
      return (await transact(deps.systemPool, [['BEGIN']], work)).result;
    },
    async close() {
      await Promise.all([deps.appPool.end(), deps.systemPool.end()]);
    },
  };
}
