import type { FxLeg } from '../../domain/payments/fx/fx-leg.ts';
import type { Database, SystemTransaction } from '../client/database.ts';

/** All stored legs: a few hundred a source. Rates belong to no customer, so no scope is asked. */
export async function readRates(db: Pick<Database, 'query'>): Promise<FxLeg[]> {
  return db.query<FxLeg>(`SELECT ${COLUMNS} FROM fx_rates ORDER BY source, base, quote`);
}

const COLUMNS = 'source, base, quote, rate::text AS rate, as_of AS "asOf"';

/**
 * The legs as they stood at a time: of every source and pair the newest whose own time is not after
 * it. What is corrected later for such a time counts as corrected.
 */
export async function readRatesAt(db: Pick<Database, 'query'>, at: Date): Promise<FxLeg[]> {
  return db.query<FxLeg>(
    `SELECT known.source, known.base, known.quote, past.rate::text AS rate, past.as_of AS "asOf"
     FROM fx_rates known CROSS JOIN LATERAL (
       SELECT rate, as_of FROM fx_rate_history h
       WHERE h.source = known.source AND h.base = known.base AND h.quote = known.quote
         AND h.as_of <= $1
       ORDER BY h.as_of DESC LIMIT 1) AS past
     ORDER BY known.source, known.base, known.quote`,
    [at],
  );
}

/**
 * What the sources of these legs said on each of the last days: of each leg the last rate of a UTC day, with the start of
 * the day as its time. Days without a rate are left out.
 */
export async function readDailyRates(
  db: Pick<Database, 'query'>,
  legs: readonly Pick<FxLeg, 'source' | 'base' | 'quote'>[],
  { at, days }: { readonly at: Date; readonly days: number },
): Promise<FxLeg[]> {
  const today = Math.floor(at.getTime() / DAY_MS) * DAY_MS;
  return db.query<FxLeg>(
    `SELECT known.source, known.base, known.quote, past.rate::text AS rate, day AS "asOf"
     FROM unnest($1::text[], $2::text[], $3::text[]) AS known (source, base, quote)
     CROSS JOIN generate_series($4::timestamptz, $5::timestamptz, interval '24 hours') AS day
     CROSS JOIN LATERAL (
       SELECT rate FROM fx_rate_history h
       WHERE h.source = known.source AND h.base = known.base AND h.quote = known.quote
         AND h.as_of >= day AND h.as_of < day + interval '24 hours'
       ORDER BY h.as_of DESC LIMIT 1) AS past`,
    [
      legs.map((leg) => leg.source),
      legs.map((leg) => leg.base),
      legs.map((leg) => leg.quote),
      new Date(today - days * DAY_MS),
      new Date(today),
    ],
  );
}

const DAY_MS = 24 * 3_600_000;

/**
 * Stores legs in place of those with the same source and pair; older ones do not replace newer ones,
 * so that a late second run changes nothing. Legs that are not among them stay and grow stale. Both
 * table and history have them then. Needs a transaction of the system role.
 */
export async function replaceRates(
  tx: SystemTransaction,
  legs: readonly FxLeg[],
  fetchedAt: Date,
): Promise<void> {
  await tx.query(
    `WITH newest AS (
       INSERT INTO fx_rates AS stored (source, base, quote, rate, as_of, fetched_at)
       SELECT source, base, quote, rate, as_of, $6
       FROM unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::timestamptz[])
         AS leg (source, base, quote, rate, as_of)
       ORDER BY source, base, quote
       ON CONFLICT (source, base, quote) DO UPDATE
         SET rate = excluded.rate, as_of = excluded.as_of, fetched_at = excluded.fetched_at
         WHERE stored.as_of <= excluded.as_of
       RETURNING source, base, quote, rate, as_of, fetched_at)
     INSERT INTO fx_rate_history AS past (source, base, quote, rate, as_of, fetched_at)
     SELECT source, base, quote, rate, as_of, fetched_at FROM newest
     ON CONFLICT (source, base, quote, as_of) DO UPDATE
       SET rate = excluded.rate, fetched_at = excluded.fetched_at WHERE past.rate <> excluded.rate`,
    [
      legs.map((leg) => leg.source),
      legs.map((leg) => leg.base),
      legs.map((leg) => leg.quote),
      legs.map((leg) => leg.rate),
      legs.map((leg) => leg.asOf),
      fetchedAt,
    ],
  );
}

/**
 * Forgets at most `limit` rates of before `until`, the oldest first, and says how many. The newest of
 * a pair stays, however old. What another transaction holds is left for the next time.
 */
export async function deleteOldRates(
  tx: SystemTransaction,
  until: Date,
  limit: number,
): Promise<number> {
  const deleted = await tx.query(
    `DELETE FROM fx_rate_history WHERE (source, base, quote, as_of) IN (
       SELECT h.source, h.base, h.quote, h.as_of FROM fx_rate_history h
       WHERE h.as_of < $1 AND NOT EXISTS (
         SELECT FROM fx_rates r
         WHERE r.source = h.source AND r.base = h.base AND r.quote = h.quote AND r.as_of = h.as_of)
       ORDER BY h.as_of LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING source`,
    [until, limit],
  );
  return deleted.length;
}
