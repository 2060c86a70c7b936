import type { Reader } from './reader.ts';
import type { Findings } from './verdict.ts';

const PER_TRANSACTION = `
  SELECT transaction_id AS subject, format('%s: sums to %s', currency, sum(amount)) AS problem
  FROM ledger_entries GROUP BY transaction_id, currency HAVING sum(amount) <> 0`;

const WHOLE_LEDGER = `
  SELECT 'whole ledger' AS subject, format('%s: sums to %s', currency, sum(amount)) AS problem
  FROM ledger_entries GROUP BY currency HAVING sum(amount) <> 0`;

/** A transaction without lines sums to zero, and moved nothing of what it says it moved. */
const EMPTY = `
  SELECT t.id AS subject, 'has no entries' AS problem FROM ledger_transactions t
  WHERE NOT EXISTS (SELECT FROM ledger_entries e WHERE e.transaction_id = t.id)`;

const STRAY = `
  SELECT format('%s line %s', e.transaction_id, e.line) AS subject,
    CASE WHEN t.id IS NULL THEN 'belongs to no transaction'
         ELSE 'belongs to another scope than its transaction' END AS problem
  FROM ledger_entries e LEFT JOIN ledger_transactions t ON t.id = e.transaction_id
  WHERE (t.customer_id, t.environment) IS DISTINCT FROM (e.customer_id, e.environment)`;

/** I4: every ledger transaction, and the whole ledger, sums to zero per currency. */
export function ledgerSumsToZero(reader: Reader): Promise<Findings> {
  return reader.look('SELECT count(*) AS checked FROM ledger_transactions', [
    { sql: PER_TRANSACTION },
    { sql: WHOLE_LEDGER },
    { sql: EMPTY },
    { sql: STRAY },
  ]);
}
