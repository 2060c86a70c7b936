import { MOVES_SQL, movesValues, type ChainMoves } from './chain-moves.ts';
import type { Reader } from './reader.ts';
import { IS_REORGANISED } from './reorganised.ts';
import { UNFINISHED } from './reserved-money.ts';
import type { Findings } from './verdict.ts';

/** Up to the block $11, to others than the addresses of $12. */
const LEFT_US = `SELECT asset, amount FROM moved WHERE block <= $11 AND recipient <> ALL ($12::text[])`;

/**
 * What the books say that left, but for payments whose tokens moved in younger blocks alone, and those that a
 * reorganisation took back until they are mined again.
 */
const BOOKED = `
  SELECT e.currency AS asset, e.amount
  FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id
  WHERE t.kind = 'SETTLE' AND e.environment = $1 AND e.account = 'nostro:' || $2
    AND (EXISTS (SELECT FROM paid WHERE payment_id = t.payment_id AND block <= $11)
      OR NOT EXISTS (SELECT FROM paid WHERE payment_id = t.payment_id)
        AND NOT EXISTS (SELECT FROM payments p WHERE p.id = t.payment_id AND ${IS_REORGANISED}))`;

/** What left for payments that have not heard of it yet. */
const UNTOLD = `
  SELECT paid.asset, paid.amount FROM paid JOIN payments p ON p.id = paid.payment_id
  WHERE paid.block <= $11 AND p.status IN ${UNFINISHED}`;

const DIFFERENT = `${MOVES_SQL}
  SELECT concat_ws(' ', $1::text, $2::text, asset) AS subject,
    format('%s left our addresses up to block %s, the books say %s', sum(chain), $11::bigint, sum(books))
      AS problem
  FROM (
    SELECT asset, amount AS chain, 0 AS books FROM (${LEFT_US}) AS left_us
    UNION ALL SELECT asset, 0, amount FROM (${BOOKED}) AS booked
    UNION ALL SELECT asset, 0, amount FROM (${UNTOLD}) AS untold
  ) AS both_sides GROUP BY asset HAVING sum(chain) <> sum(books)`;

/**
 * I20: what left our addresses up to one final block is what the books say that payments took from
 * `nostro:<network>`. Sweeps from addresses of deposits to the treasury leave nothing. What came in is not compared: the books do not say what a hot address was given.
 */
export async function tokensFollowBooks(reader: Reader, look: ChainMoves): Promise<Findings> {
  const values = [...movesValues(look), look.final.toString(), look.own];
  const { violations, samples } = await reader.look('SELECT 0 AS checked', [
    { sql: DIFFERENT, values },
  ]);
  const checked = look.moves.filter(({ block }) => block <= look.final).length;
  return { checked, violations, samples };
}
