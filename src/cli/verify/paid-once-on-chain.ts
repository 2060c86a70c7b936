import { MOVES_SQL, movesValues, type ChainMoves } from './chain-moves.ts';
import type { Reader } from './reader.ts';
import { IS_REORGANISED } from './reorganised.ts';
import type { Findings } from './verdict.ts';

const MORE_THAN_ONCE = `${MOVES_SQL}
  SELECT payment_id AS subject, format('moved %s times: %s', count(*), string_agg(hash, ', ' ORDER BY block))
    AS problem
  FROM paid GROUP BY payment_id HAVING count(*) > 1`;

const GIVEN_BACK = `${MOVES_SQL}
  SELECT payment_id AS subject, format('is %s, its funds were released, and %s moved them', p.status, hash)
    AS problem
  FROM paid JOIN payments p ON p.id = payment_id
  WHERE p.status = 'FAILED' OR EXISTS (
    SELECT FROM ledger_transactions t WHERE t.payment_id = p.id AND t.kind = 'RELEASE')`;

/** What a reorganisation took back is an exception until it is mined again; no other exception excuses. */
const NOT_MOVED = `${MOVES_SQL}
  SELECT p.id AS subject, format('is %s (%s), and nothing moved', p.status, p.finality) AS problem
  FROM payments p
  WHERE p.environment = $1 AND p.rail = $2 AND p.status IN ('COMPLETED', 'RETURNED')
    AND NOT coalesce(${IS_REORGANISED}, false)
    AND NOT EXISTS (SELECT FROM paid WHERE payment_id = p.id)`;

/** A wallet's address is blanked with its end-user; the transfer keeps where it went. */
const OTHERWISE = `${MOVES_SQL}
  SELECT p.id AS subject, format('%s moved %s %s to %s, the payment is %s %s to %s', paid.hash, paid.amount,
    paid.asset, paid.recipient, p.amount, p.currency, coalesce(lower(t.recipient), lower(w.address), 'no wallet')) AS problem
  FROM paid JOIN payments p ON p.id = paid.payment_id LEFT JOIN wallets w ON w.id = p.wallet_id
  LEFT JOIN chain_transfers t ON t.reference = paid.reference
  WHERE (paid.amount, paid.asset, paid.recipient) IS DISTINCT FROM
    (p.amount::numeric, p.currency, coalesce(lower(t.recipient), lower(w.address)))`;

/**
 * I19: by the marks of its references a payment over a chain moved tokens at most once, exactly once where it is
 * completed, never where its funds were released; and what it says, of what, to whom. What else our signer accounts
 * send is no payment's: sweeps pay the treasury (I20), and the network's coin goes to other signer accounts of ours
 * alone (I22).
 */
export function paidOnceOnChain(reader: Reader, look: ChainMoves): Promise<Findings> {
  const values = movesValues(look);
  const { environment, setup } = look.chain;
  const counted = `SELECT count(*) AS checked FROM payments
    WHERE environment = '${environment}' AND rail = '${setup.network}'`;
  const rules = [MORE_THAN_ONCE, GIVEN_BACK, NOT_MOVED, OTHERWISE];
  return reader.look(
    counted,
    rules.map((sql) => ({ sql, values })),
  );
}
