import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

const OWN = 'customer_id = :customerId AND environment = :environment AND end_user_id = :endUserId';
/** Sealed by the vault's own key: rows of an end-user who has no key of their own. */
const isOlder = (column: string): string => `octet_length(${column}) > 0
  AND get_byte(${column}, 0) <> 255`;

/**
 * Overwrites what else tells of an end-user whose key is destroyed: texts that are not sealed, and what
 * the vault's own key would open. Fingerprints and hashes would confirm a guess of what they were made of.
 */
export async function blankEndUser(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `WITH accounts AS (
       UPDATE bank_accounts SET personal = '', fingerprint = 'erased-' || id WHERE ${OWN}
     ), wallets_of AS (
       UPDATE wallets SET address = 'erased-' || id,
         vasp = CASE WHEN vasp IS NULL THEN NULL ELSE ''::bytea END WHERE ${OWN}
     ), checks AS (
       UPDATE kyc_checks SET link_token = '', redirect_url = NULL,
         provider_url = CASE WHEN provider_url IS NULL THEN NULL ELSE ''::bytea END
       WHERE ${OWN} RETURNING id
     ), reports AS (
       UPDATE kyc_reports SET reasons = '[]'
       WHERE customer_id = :customerId AND environment = :environment
         AND kyc_check_id IN (SELECT id FROM kyc_checks WHERE ${OWN})
     ), documents AS (
       UPDATE kyc_documents SET content = NULL, erased_at = coalesce(erased_at, :at),
         fingerprint = convert_to('erased-' || id, 'UTF8')
       WHERE customer_id = :customerId AND environment = :environment
         AND kyc_check_id IN (SELECT id FROM kyc_checks WHERE ${OWN})
     ), uploads AS (
       DELETE FROM kyc_uploads
       WHERE customer_id = :customerId AND environment = :environment
         AND kyc_check_id IN (SELECT id FROM kyc_checks WHERE ${OWN})
     ), answers AS (
       UPDATE webhook_attempts t SET answer = NULL
       FROM events e, webhook_endpoints w
       WHERE t.customer_id = :customerId AND t.environment = :environment AND t.answer IS NOT NULL
         AND e.customer_id = :customerId AND e.environment = :environment
         AND w.customer_id = :customerId AND w.environment = :environment
         AND t.endpoint_id = w.id AND t.event_id = e.id
         AND e.resource_id IN (
           SELECT :endUserId UNION ALL SELECT id FROM kyc_checks WHERE ${OWN}
           UNION ALL SELECT id FROM bank_accounts WHERE ${OWN}
           UNION ALL SELECT id FROM wallets WHERE ${OWN}
           UNION ALL SELECT id FROM payments WHERE ${OWN})
     ), travel_records AS (
       UPDATE travel_rule_records SET record = '' WHERE ${OWN} AND octet_length(record) > 0
     ), items AS (
       UPDATE payment_batch_items SET sealed = ''
       WHERE ${OWN} AND state = 'REFUSED' AND octet_length(sealed) > 0
     ), attempts AS (
       UPDATE settlement_attempts SET request = ''
       WHERE customer_id = :customerId AND environment = :environment AND ${isOlder('request')}
         AND payment_id IN (SELECT id FROM payments WHERE ${OWN})
     )
     UPDATE payments SET personal = '' WHERE ${OWN} AND ${isOlder('personal')}`,
    { ...scope, endUserId, at },
  );
}

/**
 * Overwrites the screening cases of an end-user and of their accounts; hashes of names and entries the
 * database blanks along. A statement of its own, behind the one that locks the accounts: a transaction
 * that was opening a case has committed it.
 */
export async function blankScreeningCases(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
): Promise<void> {
  await tx.query(
    `UPDATE screening_cases SET personal = ''
     WHERE customer_id = :customerId AND environment = :environment AND octet_length(personal) > 0
       AND id IN (
         SELECT id FROM screening_cases WHERE end_user_id = :endUserId
         UNION ALL SELECT c.id FROM screening_cases c
           JOIN bank_accounts a ON a.id = c.bank_account_id WHERE a.end_user_id = :endUserId)`,
    { ...scope, endUserId },
  );
}

/**
 * Forgets the answers about an end-user that the vault's own key would open, for they never had another;
 * the keys stay bound. Beside payments' keys only those of the last 30 days are looked through.
 */
export async function blankOwnAnswers(
  tx: ScopedTransaction,
  scope: Scope,
  endUserId: string,
): Promise<void> {
  await tx.query(
    `UPDATE idempotency_keys SET response = ''
     WHERE ${OWN} AND ${isOlder('response')} AND key IN (
       SELECT idempotency_key FROM payments WHERE ${OWN}
       UNION ALL SELECT key FROM idempotency_keys WHERE ${OWN} AND expires_at IS NOT NULL)`,
    { ...scope, endUserId },
  );
}
