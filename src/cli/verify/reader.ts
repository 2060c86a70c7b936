import pg from 'pg';
import { nameStatement } from '../../db/client/prepared-statement.ts';
import { takeFullSight } from './full-sight.ts';
import { UnusableInput } from './unusable-input.ts';
import { SAMPLES_MAX, type Findings, type Violation } from './verdict.ts';

/** Reads the database with a role that sees every row. */
export interface Reader {
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Counts what `checkedSql` (one row, one column `checked`) counts and lists what the rules find.
   * A rule is a SELECT of (subject text, problem text): one row a violation.
   */
  look(checkedSql: string, rules: readonly Rule[]): Promise<Findings>;
}

export interface Rule {
  readonly sql: string;
  readonly values?: readonly unknown[];
}

export interface VerifyConnection extends Reader {
  /** Runs work on one unchanging picture of the database, however busy it is meanwhile. */
  snapshot<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 10_000;
/** A rule may read every event ever written. */
const STATEMENT_TIMEOUT_MS = 15 * 60_000;

/**
 * Connects and makes sure that every row is visible. @throws UnusableInput where it cannot connect
 * or the role does not see everything.
 */
export async function connectToVerify(url: string): Promise<VerifyConnection> {
  const client = await connect(url);
  try {
    await takeFullSight(client);
  } catch (error) {
    await client.end();
    throw error;
  }
  return readOver(client);
}

/** The same over a connection that sees every row, and that nothing else uses meanwhile. */
export function readOver(client: pg.Client): VerifyConnection {
  const query = async <Row extends object>(text: string, values: readonly unknown[] = []) =>
    (await client.query<Row & pg.QueryResultRow>(nameStatement(text, values))).rows as Row[];
  const reader: Reader = { query, look: (checkedSql, rules) => look(query, checkedSql, rules) };
  return {
    ...reader,
    async snapshot(work) {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      try {
        return await work(reader);
      } finally {
        await client.query('ROLLBACK');
      }
    },
    close: () => client.end(),
  };
}

async function connect(url: string): Promise<pg.Client> {
  // An empty one would mean whatever PGHOST names.
  if (url === '') throw new UnusableInput('DATABASE_URL is not set');
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({
      connectionString: url,
      application_name: 'causeway-verify',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      options: `-c timezone=UTC -c statement_timeout=${STATEMENT_TIMEOUT_MS}`,
    });
    // Without a listener a connection lost between two queries would end the process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  } catch (error) {
    await client?.end().catch(() => undefined);
    const cause = error instanceof Error ? error.message || error.name : String(error);
    throw new UnusableInput(`cannot connect to the database: ${cause}`);
  }
}

async function look(
  query: Reader['query'],
  checkedSql: string,
  rules: readonly Rule[],
): Promise<Findings> {
  const [counted] = await query<{ checked: string }>(
    `SELECT checked::text AS checked FROM (${checkedSql}) AS counted`,
  );
  let violations = 0;
  const samples: Violation[] = [];
  for (const rule of rules) {
    const found = await query<Violation & { total: string }>(
      `SELECT subject, problem, count(*) OVER ()::text AS total FROM (${rule.sql}) AS found
       ORDER BY subject, problem LIMIT ${SAMPLES_MAX}`,
      rule.values,
    );
    violations += Number(found[0]?.total ?? 0);
    samples.push(...found.map(({ subject, problem }) => ({ subject, problem })));
  }
  return {
    checked: Number(counted?.checked ?? 0),
    violations,
    samples: samples.slice(0, SAMPLES_MAX),
  };
}
