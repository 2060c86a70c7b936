import type { Socket } from 'node:net';
import type pg from 'pg';
import { createDatabase, type Database } from '../../src/db/client/database.ts';
import { createPool } from '../../src/db/client/pool.ts';
import { TEST_POOL } from './database.ts';

/** A statement on its way to the server. */
export interface SentStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Which transaction of this database it is part of, from 1. */
  readonly transaction: number;
  /** Its place in the transaction; BEGIN, which enters the scope, is 1. */
  readonly place: number;
}

export type Fault =
  /** The process ends: the statement is not sent, and nothing after it. */
  | 'DIES_BEFORE'
  /** The process ends once the server has done the statement, before it hears of it. */
  | 'DIES_AFTER'
  /** The server has done the statement, the connection is lost before its answer; the process goes on. */
  | 'LOSES_ANSWER';

export interface FaultyDatabase {
  readonly db: Database;
  /** What was sent so far, by transaction and place. */
  readonly sent: readonly SentStatement[];
  isDead(): boolean;
}

/** A process's own connections, with a fault at the statements that the test names. */
export function createFaultyDatabase(
  url: string,
  faultAt: (statement: SentStatement) => Fault | null = () => null,
): FaultyDatabase {
  const sent: SentStatement[] = [];
  let transactions = 0;
  let isDead = false;
  const appPool = createPool({ ...TEST_POOL, url, role: 'causeway_app', connectionsMax: 30 });
  appPool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    let transaction = 0;
    let place = 0;
    const run = async (statement: pg.QueryConfig | string): Promise<unknown> => {
      if (isDead) return lose(client);
      const { text, values = [] } = typeof statement === 'string' ? { text: statement } : statement;
      if (text.startsWith('BEGIN')) {
        transaction = transactions += 1;
        place = 0;
      }
      place += 1;
      const one = { text: text.trim(), values, transaction, place };
      const fault = faultAt(one);
      isDead ||= fault === 'DIES_BEFORE';
      if (isDead) return lose(client);
      sent.push(one);
      const answer = await query(statement);
      isDead ||= fault === 'DIES_AFTER';
      return fault === null && !isDead ? answer : lose(client);
    };
    client.query = run as typeof client.query;
  });
  const db = createDatabase({
    appPool,
    systemPool: createPool({ ...TEST_POOL, url, role: 'causeway_system', connectionsMax: 1 }),
    runAfterCommit: () => undefined,
  });
  return { db, sent, isDead: () => isDead };
}

/** The server finds the connection closed, as when the process behind it is gone. */
function lose(client: pg.PoolClient): never {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  throw new Error('Connection terminated by the test');
}
