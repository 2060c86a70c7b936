/** What of deposits and chains waits for operators, of which no rule tells them otherwise. */
export const WAITING_OF_CHAINS = [
  'DEPOSIT_HELD',
  'DEPOSIT_BLOCKED',
  'DEPOSIT_NOT_PAID_ON',
  'WALLET_REVIEW',
  'CHAIN_STOP',
  'CHAIN_NOT_READ',
] as const;
export type WaitingOfChains = (typeof WAITING_OF_CHAINS)[number];

/** Rows of one kind in SQL, as what follows SELECT names them. */
interface WaitingRows {
  readonly id: string;
  /** Since when it waits. */
  readonly since: string;
  /** A table with a WHERE, to which conditions can be added. `:now` is the current time. */
  readonly from: string;
}

/** What is paid on within seconds, and was not, is stuck. */
const PAID_ON_WITHIN = "interval '10 minutes'";

/**
 * The final block of a network that is read moves on with every poll cycle, and the slowest network's within half an
 * hour.
 */
const READ_ON_WITHIN = "interval '1 hour'";

/** Where each kind is found. All of these tables have an `environment`. */
export const WAITING_ROWS: Readonly<Record<WaitingOfChains, WaitingRows>> = {
  DEPOSIT_HELD: {
    ...{ id: 'id', since: 'updated_at' },
    from: `deposits d WHERE status = 'SEEN' AND review = 'HELD'
      AND NOT EXISTS (SELECT FROM deposit_decisions c WHERE c.deposit_id = d.id)`,
  },
  DEPOSIT_BLOCKED: {
    // One that is blocked again after a reorganisation waits anew.
    id: `CASE round WHEN 1 THEN id ELSE concat_ws('/', id, round) END`,
    ...{ since: 'updated_at', from: `deposits WHERE status = 'BLOCKED'` },
  },
  DEPOSIT_NOT_PAID_ON: {
    ...{ id: 'deposit_id', since: 'created_at' },
    from: `deposit_onward WHERE status = 'DUE' AND created_at <= :now::timestamptz - ${PAID_ON_WITHIN}`,
  },
  WALLET_REVIEW: { id: 'id', since: 'opened_at', from: 'wallet_reviews WHERE outcome IS NULL' },
  CHAIN_STOP: {
    ...{ id: `concat_ws('/', environment, network, block_number)`, since: 'stopped_at' },
    from: 'chain_stops WHERE lifted_at IS NULL',
  },
  CHAIN_NOT_READ: {
    ...{ id: `concat_ws('/', environment, network, block_number)`, since: 'updated_at' },
    // A network of test adds no blocks while nothing happens, and one that is stopped waits as that.
    from: `chain_cursors c WHERE environment = 'live' AND kind = 'FINAL'
      AND updated_at <= :now::timestamptz - ${READ_ON_WITHIN}
      AND NOT EXISTS (SELECT FROM chain_stops s WHERE s.lifted_at IS NULL
        AND (s.environment, s.network) = (c.environment, c.network))
      AND (EXISTS (SELECT FROM payment_fundings f WHERE f.environment = 'live' AND f.status = 'AWAITED'
          AND f.created_at <= :now::timestamptz - ${READ_ON_WITHIN})
        OR EXISTS (SELECT FROM deposit_addresses a WHERE a.environment = 'live' AND a.status = 'ACTIVE'
          AND a.created_at <= :now::timestamptz - ${READ_ON_WITHIN}))`,
  },
};
