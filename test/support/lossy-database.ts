import type { Database } from '../../src/db/client/database.ts';

/** The answer of a COMMIT that PostgreSQL has taken never came. */
export class AnswerLost extends Error {
  override readonly name = 'AnswerLost';
}

/** The same database, of whose commits `isLost` chooses those whose answer is lost. What was written stays. */
export function loseAnswers(db: Database, isLost: () => boolean): Database {
  async function orLost<Result>(committed: Promise<Result>): Promise<Result> {
    const result = await committed;
    if (isLost()) throw new AnswerLost('the answer of a COMMIT was lost');
    return result;
  }
  return {
    ...db,
    write: (scope, work, options) => orLost(db.write(scope, work, options)),
    system: (work, options) => orLost(db.system(work, options)),
  };
}
