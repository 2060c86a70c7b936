const IN_SCOPE =
  'customer_id = :customerId AND environment = :environment AND currency = :currency';

/** The next kind of lines on an account, by a step along the index instead of a look at every line. */
const nextKind = (
  account: string,
  after: string,
) => `(SELECT ledger_entries.kind FROM ledger_entries
    WHERE ${IN_SCOPE} AND ledger_entries.account = ${account} AND ledger_entries.kind > ${after} ORDER BY ledger_entries.kind LIMIT 1)`;

/**
 * For WITH RECURSIVE: `walks`, the accounts of the customer and the kinds of lines that there are on them
 * in a currency, whichever version of the software wrote them. Each is a walk of its own along the index
 * of lines by kind. Takes `:customerId`, `:environment` and `:currency`.
 */
export const ENTRY_WALKS_CTE = `
  walks (account, kind) AS (
    SELECT account, ${nextKind('account', "''")}
    FROM unnest('{available,reserved,pending,receivable}'::text[]) AS account
    UNION ALL
    SELECT account, ${nextKind('walks.account', 'walks.kind')} FROM walks WHERE kind IS NOT NULL
  )`;

/** The lines `e` of one of the `walks`. */
export const LINES_OF_WALK = `e.customer_id = :customerId AND e.environment = :environment
  AND e.currency = :currency AND e.account = walks.account AND e.kind = walks.kind`;
