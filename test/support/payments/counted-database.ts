import type pg from 'pg';
import { createDatabase, type Database } from '../../../src/db/client/database.ts';
import { createPool } from '../../../src/db/client/pool.ts';

export interface CountedDatabase {
  readonly db: Database;
  /** Every statement that has gone to the server since the last reading, in order. */
  readStatements(): string[];
}

/** A database whose connections write down every statement, BEGIN (which enters the scope) and COMMIT included. */
export function createCountedDatabase(url: string, answerWithinMs = 20_000): CountedDatabase {
  let statements: string[] = [];
  const onError = (): void => undefined;
  const pool = (role: 'causeway_app' | 'causeway_system', connectionsMax: number): pg.Pool => {
    const opened = createPool({ url, role, connectionsMax, answerWithinMs, onError });
    opened.on('connect', (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        const [first] = args;
        const text = typeof first === 'string' ? first : (first as { text: string }).text;
        statements.push(text.trim());
        return query(...args);
      }) as typeof client.query;
    });
    return opened;
  };
  const db = createDatabase({
    appPool: pool('causeway_app', 4),
    systemPool: pool('causeway_system', 1),
    runAfterCommit: () => undefined,
  });
  return {
    db,
    readStatements() {
      const read = statements;
      statements = [];
      return read;
    },
  };
}
