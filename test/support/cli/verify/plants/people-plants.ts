import { SECOND_OPENING, unaudited, type Plant } from './plant-statements.ts';

/** By invariant: what acts of people and mails cannot be. */
export const PEOPLE_PLANTS: Readonly<Record<string, readonly Plant[]>> = {
  I15: [
    [
      'an address that was approved by hand',
      ({ scope, liveKeys: [, successor] }) => `
        INSERT INTO api_key_addresses (customer_id, environment, api_key_id, range, status, decided_by,
          created_at)
        VALUES ('${scope.customerId}', 'live', '${successor}', '198.51.100.7/32', 'APPROVED', 'x', now())`,
    ],
    [
      'an address that became another one after its approval',
      ({ liveKeys: [first] }) => `
        UPDATE api_key_addresses SET range = '198.51.100.0/24' WHERE api_key_id = '${first}'`,
    ],
    [
      'an approval of one operator alone',
      () => `
        ALTER TABLE approvals DROP CONSTRAINT two_operators_approve,
          DROP CONSTRAINT IF EXISTS two_accounts_approve;
        UPDATE approvals SET decided_by = proposed_by WHERE action = 'ADDRESS';
        UPDATE audit_log a SET actor = 'operator:' || p.decided_by FROM approvals p
        WHERE p.id = a.subject AND a.action LIKE 'approval.%'`,
    ],
    [
      'a copy on a key that takes no place of that one',
      ({ liveKeys: [first] }) => `
        UPDATE api_keys SET replaced_by = NULL WHERE id = '${first}'`,
    ],
    [
      'a payment that an operator alone made fail',
      ({ failed }) => `
        UPDATE payment_history SET actor = 'operator:opr_sample'
        WHERE payment_id = '${failed}' AND status = 'FAILED'`,
    ],
    [
      'an outcome confirmed by an approval of something else',
      ({ failed }) => `
        UPDATE settlement_attempts SET confirmed_by = (SELECT min(id) FROM approvals)
        WHERE payment_id = '${failed}'`,
    ],
  ],
  I16: [['a code that opened a second session, later', () => SECOND_OPENING]],
  I17: [
    [
      'a mail that waits though its time is over',
      () => `UPDATE mails SET status = 'WAITING', contents = '\\x00', ended_at = NULL,
        created_at = now() - interval '3 days', expires_at = now() - interval '2 days'`,
    ],
    ['a mail that is SENT though no process tried it', () => 'UPDATE mails SET tries = 0'],
    [
      'a code that was sent after its time',
      () => `UPDATE mails SET expires_at = created_at + interval '1 second',
        ended_at = created_at + interval '1 hour'`,
    ],
    ['a mail that FAILED for no reason', () => `UPDATE mails SET status = 'FAILED'`],
  ],
  I18: [
    ['a key that a user or an operator created', () => unaudited('api_key.created')],
    ['a rotation', () => unaudited('api_key.rotated')],
    ['an address that was asked for', () => unaudited('key_address.proposed')],
    ['an address that was approved', () => unaudited('key_address.approved')],
    ['a proposal', () => unaudited('approval.propose')],
    ['a decision', () => unaudited('approval.approve')],
    [
      'an act in the name of another operator',
      () => `UPDATE audit_log SET actor = 'operator:opr_other' WHERE action = 'approval.approve'`,
    ],
    [
      'an act that was written down later',
      () => `UPDATE audit_log SET at = at + interval '1 second' WHERE action = 'approval.approve'`,
    ],
    [
      'a key that was revoked by a hand in the database',
      ({ liveKeys: [, successor] }) => `
        UPDATE api_keys SET revoked_at = now() WHERE id = '${successor}'`,
    ],
  ],
};
