import {
  dropUnique,
  tellStatus,
  copyEvent,
  forgetEvent,
  AT,
  pruneUpTo,
  pruneFirstVersion,
  addVersion,
  type Plant,
} from './plant-statements.ts';

/** By invariant: what keys, versions and events cannot be. */
export const PAYMENT_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  I6: [
    [
      'two payments under one key',
      ({ processing, failed }) => `
        ${dropUnique('payments', 'customer_id, environment, idempotency_key')}
        DELETE FROM idempotency_keys WHERE key = 'key-${failed}';
        UPDATE payments SET idempotency_key = 'key-${processing}' WHERE id = '${failed}'`,
    ],
    [
      'two payments with one workflow',
      ({ processing, failed }) => `
        ${dropUnique('payments', 'workflow_id')}
        UPDATE payments SET workflow_id = 'payment/test/${processing}' WHERE id = '${failed}'`,
    ],
    [
      'a payment whose key is forgotten',
      ({ completed }) => `DELETE FROM idempotency_keys WHERE key = 'key-${completed}'`,
    ],
    [
      'a payment whose key will be forgotten',
      ({ completed }) =>
        `UPDATE idempotency_keys SET expires_at = now() WHERE key = 'key-${completed}'`,
    ],
    [
      'a payment whose key answers with a refusal',
      ({ completed }) =>
        `UPDATE idempotency_keys SET status_code = 422 WHERE key = 'key-${completed}'`,
    ],
    [
      'a key that is bound for ever to a payment that never was',
      ({ scope }) => `INSERT INTO idempotency_keys
        (customer_id, environment, key, request_mac, status_code, response, created_at)
        VALUES ('${scope.customerId}', 'test', 'lonely', '\\x00', 201, '\\x00', now())`,
    ],
  ],
  I7: [
    [
      'a gap in the versions',
      ({ completed }) => `UPDATE payment_history SET version = 9
        WHERE payment_id = '${completed}' AND version = 2`,
    ],
    [
      'a version without a row of its history',
      ({ processing }) => `UPDATE payments SET version = 2 WHERE id = '${processing}';
        ${copyEvent(processing, 1, 2)}`,
    ],
    [
      'a payment without history',
      ({ failed }) => `DELETE FROM payment_history WHERE payment_id = '${failed}'`,
    ],
    [
      'history of a payment that does not exist',
      ({ scope }) => `INSERT INTO payment_history VALUES ('${scope.customerId}', 'test', 'pay_none',
        1, 'PROCESSING', 'QUEUED', 'HELD', 'PENDING', 'sample', now())`,
    ],
    [
      'an illegal move in the middle',
      ({ completed }) => `UPDATE payment_history SET status = 'EXPIRED'
        WHERE payment_id = '${completed}' AND version = 2; ${tellStatus(completed, 2, 'EXPIRED')}`,
    ],
    [
      'a payment that began in the middle',
      ({ completed }) => `UPDATE payment_history SET status = 'SENT'
        WHERE payment_id = '${completed}' AND version = 1; ${tellStatus(completed, 1, 'SENT')}`,
    ],
    ['a final status that was left', ({ failed }) => addVersion(failed, `status = 'COMPLETED'`)],
    [
      'a final payment whose detail changed',
      ({ failed }) => addVersion(failed, `status_detail = 'DELIVERED'`),
    ],
    [
      'a completed payment whose funds changed',
      ({ completed }) => addVersion(completed, `funds_status = 'BACK_IN_BALANCE'`),
    ],
    [
      'a payment that differs from its last version',
      ({ processing }) => `UPDATE payments SET funds_status = 'UNKNOWN' WHERE id = '${processing}'`,
    ],
    [
      'a move that no rule knows, allowed by the database',
      () => `INSERT INTO payment_moves VALUES ('FAILED', 'COMPLETED')`,
    ],
    [
      'a move that the rules know, forgotten by the database',
      () => `DELETE FROM payment_moves WHERE to_status = 'RETURNED' AND from_status = 'COMPLETED'`,
    ],
    ['a KYC check that jumped', ({ kycCheckId }) => tellStatus(kycCheckId, 2, 'REVOKED')],
    [
      'a KYC check that began as approved',
      ({ kycCheckId }) => tellStatus(kycCheckId, 1, 'IN_REVIEW'),
    ],
    [
      'a KYC check that is not what its last event told',
      ({ kycCheckId, endUserId }) => `
        UPDATE kyc_checks SET status = 'REJECTED' WHERE id = '${kycCheckId}';
        UPDATE end_users SET kyc_status = 'REJECTED' WHERE id = '${endUserId}'`,
    ],
    [
      'an end-user approved by no check',
      ({ endUserId }) => `UPDATE end_users SET kyc_round = 2 WHERE id = '${endUserId}'`,
    ],
    [
      'an end-user approved for longer than the check says',
      ({ kycCheckId }) => `UPDATE kyc_checks SET expires_at = now() WHERE id = '${kycCheckId}'`,
    ],
  ],
  I8: [
    ['a lost event of a payment', ({ completed }) => forgetEvent(completed, 2)],
    ['a lost event of an end-user', ({ endUserId }) => forgetEvent(endUserId, 1)],
    ['a lost event of a KYC check', ({ kycCheckId }) => forgetEvent(kycCheckId, 1)],
    ['a lost event of a bank account', ({ bankAccountId }) => forgetEvent(bankAccountId, 1)],
    [
      'a version told twice',
      ({ completed }) => `ALTER TABLE events DROP CONSTRAINT one_event_a_version;
        ${copyEvent(completed, 2, 2)}`,
    ],
    [
      'a version told twice and another not at all',
      ({ completed }) => `ALTER TABLE events DROP CONSTRAINT one_event_a_version;
        ${copyEvent(completed, 2, 2)} ${forgetEvent(completed, 3)}`,
    ],
    ['an event of a version that does not exist', ({ processing }) => copyEvent(processing, 1, 2)],
    [
      'an event of a payment that does not exist',
      ({ processing }) => `${copyEvent(processing, 1, 2)}
        UPDATE events SET resource_id = 'pay_none', resource_version = 1
        WHERE resource_id = '${processing}' AND resource_version = 2`,
    ],
    [
      'an event in the other environment',
      ({ bankAccountId }) =>
        `UPDATE events SET environment = 'live' WHERE resource_id = '${bankAccountId}'`,
    ],
    [
      'an event that was not written with its change',
      ({ completed }) => `UPDATE events SET created_at = created_at + interval '1 second'
        WHERE resource_id = '${completed}' AND resource_version = 2`,
    ],
    [
      'an event that tells another status than the version',
      ({ completed }) => tellStatus(completed, 2, 'ON_HOLD'),
    ],
    [
      'a lost event from after its log was pruned',
      ({ scope, completed }) => `${pruneUpTo(scope, AT)} ${forgetEvent(completed, 1)}`,
    ],
    [
      'a gap after its log was pruned',
      (harness) => `${pruneFirstVersion(harness)} ${forgetEvent(harness.completed, 3)}`,
    ],
    [
      'the last events lost after its log was pruned',
      (harness) => `${pruneFirstVersion(harness)}
        DELETE FROM events WHERE resource_id = '${harness.completed}'`,
    ],
    [
      'an event of a payment that does not exist, after its log was pruned',
      (harness) => `${pruneFirstVersion(harness)}
        UPDATE events SET resource_id = 'pay_none'
        WHERE resource_id = '${harness.failed}' AND resource_version = 2`,
    ],
    [
      'a log that was pruned too soon',
      ({ scope }) => pruneUpTo(scope, new Date(Date.now() - 89 * 24 * 3_600_000)),
    ],
  ],
};
