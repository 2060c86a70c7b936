import { readAddress } from '../../domain/onchain/address.ts';
import { ID_PREFIXES, isId } from '../../domain/ids.ts';
import type { SystemTransaction } from '../client/database.ts';
import {
  findPaymentForOps,
  findPaymentsOfRequest,
  OPS_PAYMENT_COLUMNS,
  type OpsPayment,
} from '../operations/ops-store.ts';

/** Payments that one text finds; a key is unique in each customer's environment. */
const FOUND_MAX = 100;

/**
 * Payments by their id, the id of the request that they came with, the reference that the bank has of an
 * attempt, the address that they wait for deposits at, or the partner's own key (`Idempotency-Key`). Every way is
 * read along an index.
 */
export async function searchPayments(
  tx: SystemTransaction,
  text: string,
): Promise<readonly OpsPayment[]> {
  if (isId(ID_PREFIXES.payment, text)) {
    const payment = await findPaymentForOps(tx, text);
    return payment === null ? [] : [payment];
  }
  if (isId(ID_PREFIXES.request, text)) return findPaymentsOfRequest(tx, text);
  const address = readAddress(text);
  return tx.query<OpsPayment>(
    `SELECT ${OPS_PAYMENT_COLUMNS} FROM payments WHERE id IN (
       SELECT payment_id FROM settlement_attempts WHERE reference = upper($1)
       UNION
       SELECT payment_id FROM payment_fundings WHERE environment IN ('test', 'live') AND address = $3
       UNION
       SELECT p.id FROM customers c CROSS JOIN (VALUES ('test'), ('live')) AS e (name)
       CROSS JOIN LATERAL (SELECT id FROM payments WHERE customer_id = c.id
         AND environment = e.name AND idempotency_key = $1 LIMIT 1) AS p)
     ORDER BY id DESC LIMIT $2`,
    [text, FOUND_MAX, address.ok ? address.address : null],
  );
}
