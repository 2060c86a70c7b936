import type {
  Database,
  ScopedTransaction,
  SystemTransaction,
} from '../../../db/client/database.ts';
import type { SentForm } from '../../kit/web-deps.ts';

/** Which of an act's transactions writes what is done. */
export type ActingIn = 'system' | 'write';

/**
 * The database for a use case that opens its own transaction: the first one of that kind which commits uses
 * the form too, so that neither is without the other. Run again after a conflict, it uses the form again.
 */
export function formDatabase(db: Database, form: SentForm, actingIn: ActingIn): Database {
  let isCommitted = false;
  async function once<Tx extends SystemTransaction | ScopedTransaction, Result>(
    run: (work: (tx: Tx) => Promise<Result>) => Promise<Result>,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
    if (isCommitted) return run(work);
    const result = await run(async (tx) => {
      await form.use(tx);
      return work(tx);
    });
    isCommitted = true;
    return result;
  }
  return {
    ...db,
    system: (work) =>
      actingIn === 'system' ? once((inner) => db.system(inner), work) : db.system(work),
    write: (scope, work, options) =>
      actingIn === 'write'
        ? once((inner) => db.write(scope, inner, options), work)
        : db.write(scope, work, options),
  };
}
