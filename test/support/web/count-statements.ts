import type { StatementValues } from '../../../src/db/client/prepared-statement.ts';
import type { AnyTransaction, Database } from '../../../src/db/client/database.ts';

/** The same database, and how many statements it was sent: BEGIN, which enters a scope, COMMIT, and each query. */
export function countStatements(db: Database) {
  let count = 0;
  const counting = <Tx extends AnyTransaction>(tx: Tx): Tx => ({
    ...tx,
    query: <Row extends object>(text: string, values?: StatementValues) => {
      count += 1;
      return tx.query<Row>(text, values);
    },
  });
  const inScope =
    (run: 'write' | 'exclusive' | 'read' | 'list'): Database['read'] =>
    (scope, work) => {
      count += 2;
      return db[run](scope, (tx) => work(counting(tx)));
    };
  const counted: Database = {
    ...db,
    write: (scope, work, options) => {
      count += 2;
      return db.write(scope, (tx) => work(counting(tx)), options);
    },
    exclusive: inScope('exclusive'),
    read: inScope('read'),
    list: inScope('list'),
    system: (work, options) => {
      count += options?.isOneStatement === true ? 0 : 2;
      return db.system((tx) => work(counting(tx)), options);
    },
    alone: (...args) => {
      count += 1;
      return db.alone(...args);
    },
    query: (...args) => {
      count += 1;
      return db.query(...args);
    },
  };
  return { db: counted, statements: () => count };
}
