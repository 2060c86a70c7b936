import type { OperatorRole } from '../../domain/customers/access/operator-rights.ts';
import type { SystemTransaction } from '../client/database.ts';
import { CONTENT_HASH, type ApprovalRow } from './approval-store.ts';

/** A passkey of an operator who may decide. */
export interface OperatorKeyRow {
  readonly operatorId: string;
  readonly role: OperatorRole;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
}

const KEYS_MAX = 1_000;

/** The passkeys of operators who are active and confirmed. */
export async function listOperatorKeys(tx: SystemTransaction): Promise<readonly OperatorKeyRow[]> {
  return tx.query<OperatorKeyRow>(
    `SELECT p.operator_id AS "operatorId", o.role, p.credential_id AS "credentialId",
       p.public_key AS "publicKey"
     FROM passkeys p JOIN operators o ON o.id = p.operator_id
     WHERE p.removed_at IS NULL AND o.status = 'ACTIVE' AND o.confirmed_at IS NOT NULL
     ORDER BY p.operator_id, p.created_at, p.id LIMIT ${String(KEYS_MAX)}`,
  );
}

type UnsignedApproval = Pick<ApprovalRow, 'id' | 'customerId' | 'environment' | 'contentHash'>;

const UNSIGNED_MAX = 100_000;

const SIGNATURE = 'SELECT FROM approval_signatures s WHERE s.reason IS NOT NULL AND s.approval_id';

/**
 * The approvals that are in effect and that nobody signed with a reason: from before decisions, or their reasons, were signed.
 * An item of a set rests on the signatures of its set.
 */
export async function listUnsignedApprovals(
  tx: SystemTransaction,
): Promise<readonly UnsignedApproval[]> {
  return tx.query(
    `SELECT a.id, a.customer_id AS "customerId", a.environment, ${CONTENT_HASH} AS "contentHash"
     FROM approvals a JOIN approval_uses u ON u.approval_id = a.id
     WHERE NOT EXISTS (${SIGNATURE} = a.id)
       AND NOT EXISTS (${SIGNATURE} = a.content ->> 'set')
     ORDER BY a.seq LIMIT ${String(UNSIGNED_MAX)}`,
  );
}
