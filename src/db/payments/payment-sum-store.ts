import { endOf, type SummedSpan } from '../../domain/payments/summed-spans.ts';
import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/** By currency: how many payments, and what they pay out in minor units, both as decimal text. */
export type CurrencySums = Readonly<
  Record<string, { readonly payments: string; readonly minor: string }>
>;

/** What was accepted from a moment on, for an hour or a day; `hours` 0: until now. */
export interface PaymentSumRow {
  readonly startsAt: Date;
  readonly hours: number;
  readonly sums: CurrencySums;
}

export interface PaymentSums {
  readonly kept: readonly PaymentSumRow[];
  /** Of what is not over: what came before today, and what came since. */
  readonly open: readonly PaymentSumRow[];
  /** When the first payment of the scope was accepted; null where there is none. */
  readonly firstAt: Date | null;
}

/**
 * What payments that were accepted from one moment until before another come to. Both ends are said, and no other
 * index than that of (customer, environment, created_at) has them: by ids, a customer that has most of all
 * payments would be read from the primary key, with every customer's.
 */
const sumOf = (from: string, until: string) => `(
  SELECT coalesce(jsonb_object_agg(currency,
      jsonb_build_object('payments', payments::text, 'minor', minor::text)), '{}')
  FROM (SELECT p.currency, count(*) AS payments, sum(p.amount) AS minor FROM payments p
        WHERE p.customer_id = :customerId AND p.environment = :environment
          AND p.created_at >= ${from} AND p.created_at < ${until}
        GROUP BY p.currency) AS by_currency)`;

/**
 * The sums that are kept from a moment on, and those of the payments since `openFrom` and before `until`, before
 * and after `today` begins. One statement; what it reads grows with the payments since `openFrom` alone.
 */
export async function readPaymentSums(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  from: Date,
  { openFrom, today, until }: Readonly<Record<'openFrom' | 'today' | 'until', Date>>,
): Promise<PaymentSums> {
  const rows = await tx.query<Partial<PaymentSumRow> & { readonly firstAt: Date | null }>(
    `SELECT starts_at AS "startsAt", hours, sums, NULL::timestamptz AS "firstAt"
     FROM payment_sums
     WHERE customer_id = :customerId AND environment = :environment AND starts_at >= :from
     UNION ALL
     SELECT :openFrom::timestamptz, 0, ${sumOf(':openFrom', ':today')}, NULL
     UNION ALL
     SELECT :openToday::timestamptz, 0, ${sumOf(':openToday', ':until')}, NULL
     UNION ALL
     SELECT NULL, NULL, NULL, (SELECT created_at FROM payments
       WHERE customer_id = :customerId AND environment = :environment ORDER BY created_at LIMIT 1)`,
    {
      ...{ customerId, environment, from, openFrom, today, until },
      openToday: openFrom > today ? openFrom : today,
    },
  );
  const sums = rows.filter((row): row is PaymentSumRow & { firstAt: null } => row.hours !== null);
  return {
    kept: sums.filter(({ hours }) => hours > 0),
    open: sums.filter(({ hours }) => hours === 0),
    firstAt: rows.find(({ hours }) => hours === null)?.firstAt ?? null,
  };
}

/**
 * Sums spans that are over and keeps what comes of it; answers it. One that another transaction has kept
 * meanwhile has the same sums.
 */
export async function keepPaymentSums(
  tx: ScopedTransaction,
  { customerId, environment }: Scope,
  spans: readonly SummedSpan[],
  at: Date,
): Promise<PaymentSumRow[]> {
  return tx.query<PaymentSumRow>(
    `WITH summed AS MATERIALIZED (
       SELECT span.starts_at, span.hours,
         ${sumOf('span.starts_at', 'span.ends_at')} AS sums
       FROM unnest(:starts::timestamptz[], :hours::smallint[], :ends::timestamptz[])
         AS span (starts_at, hours, ends_at)
     ), kept AS (
       INSERT INTO payment_sums (customer_id, environment, starts_at, hours, sums, summed_at)
       SELECT :customerId, :environment, starts_at, hours, sums, :at FROM summed
       ON CONFLICT DO NOTHING
     )
     SELECT starts_at AS "startsAt", hours, sums FROM summed`,
    {
      ...{ customerId, environment, at },
      starts: spans.map(({ startsAt }) => startsAt),
      hours: spans.map(({ hours }) => hours),
      ends: spans.map(endOf),
    },
  );
}
