import type { Database, SystemTransaction } from '../client/database.ts';

/** What a process asks of one bucket. */
export interface TokenAsk {
  readonly name: string;
  /** Tokens a second. */
  readonly rate: number;
  /** Tokens that the bucket holds at most. */
  readonly burst: number;
  /** Tokens used without having been taken; negative: tokens given back. */
  readonly settled: number;
  /** Tokens to take, at most. */
  readonly wanted: number;
}

/** What it got. */
export interface TokenLease {
  /** Whole tokens; they are the asker's from now on. */
  readonly granted: number;
  /** What the bucket holds now, with its fraction; below 0 where more was settled than there was. */
  readonly remaining: number;
}

/**
 * Settles with buckets and takes tokens from them, any number of them in one statement that commits by
 * itself; one lease an ask, in their order. The time is PostgreSQL's.
 */
export async function leaseRateTokens(
  db: Pick<Database, 'query'>,
  asks: readonly TokenAsk[],
): Promise<TokenLease[]> {
  return db.query<TokenLease>(
    `SELECT granted, remaining
     FROM lease_rate_tokens(:names, :rates, :bursts, :settled, :wanted) ORDER BY turn`,
    {
      names: asks.map(({ name }) => name),
      rates: asks.map(({ rate }) => rate),
      bursts: asks.map(({ burst }) => burst),
      settled: asks.map(({ settled }) => settled),
      wanted: asks.map(({ wanted }) => wanted),
    },
  );
}

/** Forgets at most `limit` buckets that have been full for a minute; answers how many. */
export async function deleteFullRateBuckets(tx: SystemTransaction, limit: number): Promise<number> {
  const rows = await tx.query(
    `DELETE FROM rate_buckets WHERE name = ANY (ARRAY(
       SELECT name FROM rate_buckets WHERE full_at < clock_timestamp() - interval '1 minute'
       LIMIT $1 FOR UPDATE SKIP LOCKED))
     RETURNING name`,
    [limit],
  );
  return rows.length;
}
