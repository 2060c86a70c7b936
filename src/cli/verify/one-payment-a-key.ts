import type { Reader } from './reader.ts';
import type { Findings } from './verdict.ts';

const SHARED_KEY = `
  SELECT concat_ws(' ', customer_id, environment, idempotency_key) AS subject,
    format('%s payments under one key: %s', count(*), string_agg(id, ', ' ORDER BY id)) AS problem
  FROM payments GROUP BY customer_id, environment, idempotency_key HAVING count(*) > 1`;

const SHARED_WORKFLOW = `
  SELECT workflow_id AS subject,
    format('%s payments share one workflow', count(*)) AS problem
  FROM payments GROUP BY workflow_id HAVING count(*) > 1`;

/** A payment's key answers for ever, and what it answers is that the payment was accepted. */
const UNBOUND_PAYMENT = `
  SELECT p.id AS subject,
    CASE WHEN k.key IS NULL THEN 'its idempotency key is not stored'
         WHEN k.expires_at IS NOT NULL THEN 'its idempotency key expires'
         ELSE format('its idempotency key answers %s', k.status_code) END AS problem
  FROM payments p LEFT JOIN idempotency_keys k
    ON (k.customer_id, k.environment, k.key) = (p.customer_id, p.environment, p.idempotency_key)
  WHERE k.key IS NULL OR k.expires_at IS NOT NULL OR k.status_code NOT BETWEEN 200 AND 299`;

/** Only payments bind a key without end. A closed one is bound to nothing. */
const UNBOUND_KEY = `
  SELECT concat_ws(' ', k.customer_id, k.environment, k.key) AS subject,
    'is bound for ever, to no payment' AS problem
  FROM idempotency_keys k
  WHERE k.expires_at IS NULL AND NOT k.closed AND NOT EXISTS (
    SELECT FROM payments p WHERE (p.customer_id, p.environment, p.idempotency_key)
      = (k.customer_id, k.environment, k.key))`;

/**
 * I6, as far as rows tell: per (customer, environment, idempotency key) one payment, every payment has
 * its key, and every key that is bound for ever its payment, unless it is closed.
 */
export function onePaymentAKey(reader: Reader): Promise<Findings> {
  return reader.look('SELECT count(*) AS checked FROM payments', [
    { sql: SHARED_KEY },
    { sql: SHARED_WORKFLOW },
    { sql: UNBOUND_PAYMENT },
    { sql: UNBOUND_KEY },
  ]);
}
