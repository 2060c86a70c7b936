import type { Database } from '../../../db/client/database.ts';
import type { SentForm } from '../../kit/web-deps.ts';

/**
 * The database for a use case that opens its own transaction: the first transaction of operators that commits uses
 * the form too, so that neither is without the other. Run again after a conflict, it uses the form again.
 */
export function formDatabase(db: Database, form: SentForm): Database {
  let isUsed = false;
  return {
    ...db,
    async system(work) {
      if (isUsed) return db.system(work);
      const result = await db.system(async (tx) => {
        await form.use(tx);
        return work(tx);
      });
      isUsed = true;
      return result;
    },
  };
}
