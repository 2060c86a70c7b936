import type { FxLeg } from '../domain/fx/fx-leg.ts';
import type { Database, SystemTransaction } from './database.ts';

/** All stored legs: a few hundred a source. Rates belong to no customer, so no scope is asked. */
export async function readRates(db: Pick<Database, 'query'>): Promise<FxLeg[]> {
  return db.query<FxLeg>(`SELECT ${COLUMNS} FROM fx_rates ORDER BY source, base, quote`);
}

const COLUMNS = 'source, base, quote, rate::text AS rate, as_of AS "asOf"';

/**
 * Stores legs in place of those with the same source and pair; older ones do not replace newer ones,
 * so that a late second run changes nothing. Legs that are not among them stay and grow stale. Needs
 * a transaction of the system role.
 */
export async function replaceRates(
  tx: SystemTransaction,
  legs: readonly FxLeg[],
  fetchedAt: Date,
): Promise<void> {
  await tx.query(
    `INSERT INTO fx_rates AS stored (source, base, quote, rate, as_of, fetched_at)
     SELECT source, base, quote, rate, as_of, $6
     FROM unnest($1::text[], $2::text[], $3::text[], $4::numeric[], $5::timestamptz[])
       AS leg (source, base, quote, rate, as_of)
     ORDER BY source, base, quote
     ON CONFLICT (source, base, quote) DO UPDATE
       SET rate = excluded.rate, as_of = excluded.as_of, fetched_at = excluded.fetched_at
       WHERE stored.as_of <= excluded.as_of`,
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
