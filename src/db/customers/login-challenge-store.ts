import type { Surface } from '../../domain/customers/access/rights.ts';
import type { AnyTransaction } from '../client/database.ts';

/** A transaction, or the database itself for one statement. */
export type Asking = Pick<AnyTransaction, 'query'>;

/** Whose challenge it is: one browser's, for one address, on one surface. Keyed hashes both. */
export interface ChallengeKey {
  readonly surface: Surface;
  readonly addressHash: Buffer;
  readonly browserHash: Buffer;
}

/** Opens a challenge; the last one of the key is over with that. */
export async function openChallenge(
  db: Asking,
  key: ChallengeKey,
  given: { readonly codeHash: Buffer; readonly at: Date; readonly expiresAt: Date },
): Promise<void> {
  await db.query(
    `SELECT open_login_challenge(:surface, :addressHash, :browserHash, :codeHash, :at, :expiresAt)`,
    { ...key, ...given },
  );
}

/** Counts a try and judges it; null where there is nothing to judge it by. */
export async function judgeCode(
  db: Asking,
  key: ChallengeKey,
  given: { readonly codeHash: Buffer; readonly at: Date },
): Promise<{ readonly isRight: boolean; readonly triesLeft: number } | null> {
  const rows = await db.query<{ isRight: boolean; triesLeft: number }>(
    `SELECT is_right AS "isRight", tries_left AS "triesLeft"
     FROM judge_login_code(:surface, :addressHash, :browserHash, :codeHash, :at)`,
    { ...key, ...given },
  );
  return rows[0] ?? null;
}

/** Takes one of a budget of this hour; false where none is left. */
export async function takeBudget(
  db: Asking,
  key: Buffer,
  at: Date,
  most: number,
): Promise<boolean> {
  const rows = await db.query<{ isTaken: boolean }>(
    `SELECT take_access_budget($1, $2, $3) AS "isTaken"`,
    [key, at, most],
  );
  return rows[0]?.isTaken === true;
}

/** A budget as the database counts it: `hours` of 1 is this clock hour, of 24 a day. */
export interface CountedBudget {
  readonly key: Buffer;
  readonly hours: number;
  readonly most: number;
}

const asArrays = (budgets: readonly CountedBudget[], at: Date) => ({
  keys: budgets.map(({ key }) => key),
  hours: budgets.map(({ hours }) => hours),
  most: budgets.map(({ most }) => most),
  at,
});

/** Does each budget have one left? It locks nothing. */
export async function hasBudgets(
  db: Asking,
  budgets: readonly CountedBudget[],
  at: Date,
): Promise<boolean> {
  const rows = await db.query<{ hasThem: boolean }>(
    'SELECT has_access_budgets(:keys::bytea[], :hours::int[], :most::int[], :at) AS "hasThem"',
    asArrays(budgets, at),
  );
  return rows[0]?.hasThem === true;
}

/** Takes one of each, and answers what each counts now; null where one has none left. */
export async function takeBudgets(
  db: Asking,
  budgets: readonly CountedBudget[],
  at: Date,
): Promise<readonly number[] | null> {
  const rows = await db.query<{ counts: number[] | null }>(
    'SELECT take_access_budgets(:keys::bytea[], :hours::int[], :most::int[], :at) AS counts',
    asArrays(budgets, at),
  );
  return rows[0]?.counts ?? null;
}

/** Gives back what was taken in this hour. */
export async function returnBudgets(
  db: Asking,
  budgets: readonly CountedBudget[],
  at: Date,
): Promise<void> {
  await db.query('SELECT return_access_budget(key, :at) FROM unnest(:keys::bytea[]) AS key', {
    keys: budgets.map(({ key }) => key),
    at,
  });
}
