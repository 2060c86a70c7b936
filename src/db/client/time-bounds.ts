const IN_SCOPE = 'customer_id = :customerId AND environment = :environment';

/**
 * The sequences between which a span of time lies, for a table with an index of (customer_id,
 * environment, created_at, seq). Rows are numbered in nearly the order of `created_at`: the clocks of
 * several API processes differ by less than 5 minutes. The 20 rows nearest to that margin are asked, so
 * that a few with a wrong time hide no others; where there are fewer, the walk passes them. A bound is
 * never NULL: row-level security keeps a coalesce around it out of the index condition.
 */
export const timeBounds = (table: string) =>
  ({
    createdAfter: `(SELECT CASE count(*) WHEN 20 THEN min(seq) ELSE 0 END FROM (SELECT seq FROM ${table}
    WHERE ${IN_SCOPE} AND created_at <= :createdAfter::timestamptz - interval '5 minutes'
    ORDER BY created_at DESC LIMIT 20) AS earlier) AS first`,
    createdBefore: `(SELECT CASE count(*) WHEN 20 THEN max(seq) ELSE 9223372036854775807 END
    FROM (SELECT seq FROM ${table}
    WHERE ${IN_SCOPE} AND created_at >= :createdBefore::timestamptz + interval '5 minutes'
    ORDER BY created_at LIMIT 20) AS later) AS last`,
  }) as const;

/** The conditions that go with them, where the bounds are selected as `bounds`. */
export const TIME_CONDITIONS = {
  createdAfter: 'created_at > :createdAfter AND seq > (SELECT first FROM bounds)',
  createdBefore: 'created_at < :createdBefore AND seq < (SELECT last FROM bounds)',
} as const;
