import type { Reader } from './reader.ts';
import type { Findings } from './verdict.ts';

/** What the ledger says that we have of each currency. */
const BOOKED = `
  SELECT environment, currency, sum(amount) AS amount FROM ledger_entries
  WHERE account = 'fx' GROUP BY environment, currency`;

const STANDS = `a.act <> 'REVERSE' AND NOT EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id)`;
/** A credit that is not the payment's own return: it has movements of its own, rounded on their own. */
const IS_CREDIT = `a.act = 'CREDIT_RETURN' AND a.content ->> 'as' IS DISTINCT FROM 'RETURN'`;
const PART = `(a.content ->> 'part')::numeric`;

/**
 * The same from what was quoted, paid out, came back, was recovered and was traded, without a look at the ledger. What
 * came back in all includes the acts that credited some of it.
 */
const RECOMPUTED = `
  SELECT environment, currency, sum(amount) AS amount FROM (
    SELECT q.environment, leg.currency, leg.amount
    FROM payments p JOIN quotes q ON q.id = p.quote_id CROSS JOIN LATERAL (VALUES
      (q.source_currency, q.converted_amount::numeric),
      (q.target_currency, -q.target_amount::numeric)) AS leg (currency, amount)
    WHERE p.status IN ('COMPLETED', 'RETURNED')
    UNION ALL
    SELECT q.environment, leg.currency, leg.amount
    FROM payments p JOIN quotes q ON q.id = p.quote_id CROSS JOIN LATERAL (
      SELECT (p.return_info ->> 'amount')::numeric - coalesce((SELECT sum(${PART}) FROM exception_acts a
        WHERE a.payment_id = p.id AND ${IS_CREDIT} AND ${STANDS}), 0) AS amount) AS back CROSS JOIN LATERAL (VALUES
      (q.source_currency, -div(q.converted_amount * back.amount, q.target_amount)),
      (q.target_currency, back.amount)) AS leg (currency, amount)
    WHERE p.return_info IS NOT NULL
    UNION ALL
    SELECT q.environment, leg.currency, leg.amount
    FROM exception_acts a JOIN payments p ON p.id = a.payment_id JOIN quotes q ON q.id = p.quote_id
      CROSS JOIN LATERAL (VALUES
        (q.source_currency, -div(q.converted_amount * ${PART}, q.target_amount)),
        (q.target_currency, ${PART})) AS leg (currency, amount)
    WHERE ${IS_CREDIT} AND ${STANDS}
    UNION ALL
    SELECT q.environment, leg.currency, leg.amount
    FROM exception_acts a JOIN payments p ON p.id = a.payment_id JOIN quotes q ON q.id = p.quote_id
      CROSS JOIN LATERAL (VALUES
        (q.source_currency, div(q.converted_amount * ${PART} + q.target_amount - 1, q.target_amount)),
        (q.target_currency, -${PART})) AS leg (currency, amount)
    WHERE a.act = 'RECOVER' AND ${STANDS}
    UNION ALL
    SELECT t.environment, leg.currency, leg.amount
    FROM cover_trades t CROSS JOIN LATERAL (VALUES
      (t.sold_currency, -t.sold_amount::numeric),
      (t.bought_currency, t.bought_amount::numeric)) AS leg (currency, amount)
  ) AS legs GROUP BY environment, currency`;

const DIFFERENT = `
  SELECT concat_ws(' ', environment, currency) AS subject,
    format('the ledger has %s, quotes, acts and cover trades come to %s',
      coalesce(b.amount, 0), coalesce(r.amount, 0)) AS problem
  FROM (${BOOKED}) b FULL JOIN (${RECOMPUTED}) r USING (environment, currency)
  WHERE coalesce(b.amount, 0) <> coalesce(r.amount, 0)`;

const FEES = `(SELECT coalesce(sum((fee ->> 'amount')::numeric), 0)
      FROM jsonb_array_elements(p.fees) AS fee)`;

/**
 * What is held for a payment, or due from a deposit, is the most that it may cost, or what its quote converts, or its
 * amount, and its own fees.
 */
const HELD_OTHERWISE = `
  SELECT p.id AS subject, format('%s %s are held, its price is %s',
    coalesce(h.amount, 0), p.source_currency, price.amount) AS problem
  FROM payments p LEFT JOIN quotes q ON q.id = p.quote_id CROSS JOIN LATERAL (
    SELECT coalesce(p.max_source_amount, coalesce(q.converted_amount, p.amount) + ${FEES}) AS amount) AS price
  LEFT JOIN LATERAL (
    SELECT sum(e.amount) AS amount FROM ledger_transactions t JOIN ledger_entries e
      ON e.transaction_id = t.id AND e.account = 'reserved' AND e.currency = p.source_currency
    WHERE t.payment_id = p.id AND t.kind = 'HOLD') AS h ON true
  LEFT JOIN payment_fundings f ON f.payment_id = p.id
  WHERE (p.quote_id IS NOT NULL OR p.fees <> '[]') AND coalesce(f.amount_due, h.amount, 0) <> price.amount`;

/**
 * A payment and its quote say the same, of each other and of the money. A payment to a bank account may have
 * more fees: those of its rail.
 */
const NOT_AS_QUOTED = `
  SELECT p.id AS subject, format('is not as quote %s says', p.quote_id) AS problem
  FROM payments p LEFT JOIN quotes q ON q.id = p.quote_id
    AND (q.customer_id, q.environment, q.payment_id) = (p.customer_id, p.environment, p.id)
    AND (q.source_currency, q.target_currency) = (p.source_currency, p.currency)
    AND (q.converted_amount, q.target_amount) = (p.source_amount, p.amount)
    AND q.rate = p.rate::numeric
    AND CASE WHEN q.network IS NULL THEN ${FEES} >= q.source_amount - q.converted_amount
      ELSE ${FEES} = q.source_amount - q.converted_amount END
  WHERE p.quote_id IS NOT NULL AND q.id IS NULL`;

/** A payment names its last price; those before it are of one that may be priced anew, numbered without a gap. */
const USED_BY_NONE = `
  SELECT q.id AS subject, format('is used by %s, which names another quote', q.payment_id) AS problem
  FROM quotes q LEFT JOIN payments p ON p.id = q.payment_id AND (p.quote_id = q.id
    OR p.max_source_amount IS NOT NULL AND EXISTS (SELECT FROM quotes later
      WHERE later.payment_id = q.payment_id AND later.requote = q.requote + 1))
  WHERE q.payment_id IS NOT NULL AND p.id IS NULL`;

const ABOVE_MAXIMUM = `
  SELECT p.id AS subject, format('costs %s, its maximum is %s', q.source_amount, p.max_source_amount) AS problem
  FROM payments p JOIN quotes q ON q.payment_id = p.id
  WHERE q.source_amount > p.max_source_amount`;

const WRONG_CHECKPOINT = `
  SELECT concat_ws(' ', c.environment, c.currency) AS subject,
    format('checkpoint %s, entries before it sum to %s', c.position, coalesce(b.amount, 0)) AS problem
  FROM fx_checkpoints c LEFT JOIN LATERAL (
    SELECT sum(e.amount) AS amount FROM ledger_entries e
    WHERE e.account = 'fx' AND e.environment = c.environment AND e.currency = c.currency
      AND e.transaction_id COLLATE "C" < c.before_id) AS b ON true
  WHERE c.position <> coalesce(b.amount, 0)`;

/**
 * The position in currencies is what quotes, returns, acts of operators and cover trades come to, and its checkpoints
 * are sums of the ledger; payments in two currencies, and those with fees, hold and convert what their price says.
 */
export function positionFollowsQuotes(reader: Reader): Promise<Findings> {
  const checked = `SELECT count(*) AS checked FROM payments
    WHERE quote_id IS NOT NULL OR fees <> '[]'`;
  return reader.look(checked, [
    { sql: DIFFERENT },
    { sql: HELD_OTHERWISE },
    { sql: NOT_AS_QUOTED },
    { sql: USED_BY_NONE },
    { sql: ABOVE_MAXIMUM },
    { sql: WRONG_CHECKPOINT },
  ]);
}
