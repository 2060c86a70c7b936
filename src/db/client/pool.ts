import pg from 'pg';

/** The group roles that the migrations create; a connection takes one on and keeps it. */
export type DatabaseRole =
  | 'causeway_app'
  | 'causeway_system'
  | 'causeway_dashboard'
  | 'causeway_entry'
  | 'causeway_effects'
  | 'causeway_console'
  | 'causeway_ops'
  | 'causeway_chain'
  | 'causeway_resealer';

interface PoolOptions {
  readonly url: string;
  /** Left out only by migrations, which own the tables. */
  readonly role?: DatabaseRole;
  readonly connectionsMax: number;
  /** How long a transaction waits for a connection of the pool, in ms. 5,000 unless given. */
  readonly connectWithinMs?: number;
  /** How long an answer may take by our own clock, in ms. 20,000 unless given. */
  readonly answerWithinMs?: number;
  readonly onError: (error: Error) => void;
}

/** How long a statement waits for a lock. */
export const LOCK_WAIT_MS = 10_000;

/**
 * Statements are short and find a few rows by their keys, whatever a table's size was when their plan was made: a plan
 * from a young table must hold for a grown one. Compiling a plan, or sharing it between processes, costs more than it
 * gives. An index page costs what it does on a solid-state disk.
 */
const PLANNER = [
  'enable_seqscan=off',
  'random_page_cost=1.1',
  'jit=off',
  'max_parallel_workers_per_gather=0',
];

const CONNECT_WITHIN_MS = 5_000;

/** Longer than `statement_timeout`, whose error says more. */
const ANSWER_WITHIN_MS = 20_000;

const INT8 = 20;
const TIMESTAMPTZ = 1184;

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    // An int8 is money or a sequence: neither survives a double.
    if (oid === INT8) return (text: string) => BigInt(text);
    if (oid === TIMESTAMPTZ) return (text: string) => new Date(text);
    return pg.types.getTypeParser(oid, format) as (text: string) => unknown;
  }) as typeof pg.types.getTypeParser,
};

/**
 * A bounded pool whose every connection works as one database role. Limits: a connection 5 s, a
 * statement 15 s (20 s by our own clock), waiting for a lock 10 s, an idle open transaction 30 s.
 */
export function createPool(options: PoolOptions): pg.Pool {
  const settings = [
    ...(options.role === undefined ? [] : [`role=${options.role}`]),
    'timezone=UTC',
    // A commit that is answered must survive a crash, whatever the server or the database is set to.
    'synchronous_commit=on',
    'statement_timeout=15000',
    `lock_timeout=${String(LOCK_WAIT_MS)}`,
    'idle_in_transaction_session_timeout=30000',
    ...PLANNER,
    // Its statements name what they want, so one plan fits every value, and planning each anew costs more than it gives.
    ...(options.role === 'causeway_app' ? ['plan_cache_mode=force_generic_plan'] : []),
  ];
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.connectWithinMs ?? CONNECT_WITHIN_MS,
    idleTimeoutMillis: 30_000,
    // A connection into a black hole must not hold its place until TCP gives up.
    keepAlive: true,
    query_timeout: options.answerWithinMs ?? ANSWER_WITHIN_MS,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    types,
  });
  // Without a listener the loss of an idle connection would end the process,
  pool.on('error', options.onError);
  // and so would the loss of one in use, which its transaction hears of by its next answer.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
