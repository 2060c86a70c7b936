import type { Database, ScopedTransaction } from '../../../db/client/database.ts';
import { holdRun, type BatchRun } from '../../../db/payments/payment-batch-run-store.ts';
import type { Scope } from '../../../domain/scope.ts';

/** A later run of the work has taken the batch over, or it is done: what this one would do is not done. */
export class SupersededRun extends Error {
  constructor() {
    super('another run works on the batch');
    this.name = 'SupersededRun';
  }
}

/**
 * The database, but every transaction that writes first makes sure that the batch is still this run's:
 * else throws SupersededRun. So a worker that was given up for dead, and lives, can pay nothing that its
 * successor has refused meanwhile.
 */
export function databaseOfRun(db: Database, batch: Pick<BatchRun, 'id' | 'run'>): Database {
  const held =
    <Result>(scope: Scope, work: (tx: ScopedTransaction) => Promise<Result>) =>
    async (tx: ScopedTransaction): Promise<Result> => {
      if (!(await holdRun(tx, scope, batch))) throw new SupersededRun();
      return work(tx);
    };
  return {
    ...db,
    write: (scope, work, options) => db.write(scope, held(scope, work), options),
    exclusive: (scope, work) => db.exclusive(scope, held(scope, work)),
  };
}
