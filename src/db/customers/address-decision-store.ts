import type { Environment } from '../../domain/scope.ts';
import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { SystemTransaction } from '../client/database.ts';
import { KEY_ADDRESS_COLUMNS, type KeyAddressRow } from './key-address-store.ts';

/** An address of a live key as operators decide about it, with whose it is. */
export interface AddressToDecide extends KeyAddressRow {
  readonly seq: bigint;
  readonly customerId: string;
  readonly customerName: string;
  readonly environment: Environment;
  readonly keyName: string;
  readonly keyScopes: readonly string[];
  readonly keyLast4: string;
  /** The proposal that waits for a second operator, and who made it; null where there is none. */
  readonly approvalId: string | null;
  readonly proposedBy: string | null;
  readonly proposalReason: string | null;
}

const COLUMNS = `a.seq, ${KEY_ADDRESS_COLUMNS}, a.customer_id AS "customerId",
  c.name AS "customerName", a.environment, k.name AS "keyName", k.scopes AS "keyScopes",
  k.last4 AS "keyLast4", p.id AS "approvalId", p.proposed_by AS "proposedBy",
  p.reason AS "proposalReason"`;

/** A proposal that ran out undecided waits no longer. */
const FROM = `FROM api_key_addresses a
  JOIN customers c ON c.id = a.customer_id
  JOIN api_keys k ON k.id = a.api_key_id
  LEFT JOIN approvals p ON p.subject_id = a.id AND p.action = 'ADDRESS' AND p.decision IS NULL
    AND p.expires_at > :now`;

/** Addresses that wait for operators, newest first. */
export async function listAddressesToDecide(
  tx: SystemTransaction,
  { before, limit }: PageRequest,
  now: Date,
): Promise<Page<AddressToDecide>> {
  const rows = await tx.query<AddressToDecide>(
    `SELECT ${COLUMNS} ${FROM}
     WHERE a.status = 'PENDING' AND (:before::bigint IS NULL OR a.seq < :before)
     ORDER BY a.seq DESC LIMIT :rows`,
    { before, rows: limit + 1, now },
  );
  return toPage(rows, limit);
}

/** One address, whatever was decided about it; null where there is none. */
export async function findAddressToDecide(
  tx: SystemTransaction,
  id: string,
  now: Date,
): Promise<AddressToDecide | null> {
  const rows = await tx.query<AddressToDecide>(`SELECT ${COLUMNS} ${FROM} WHERE a.id = :id`, {
    id,
    now,
  });
  return rows[0] ?? null;
}

/** The same, kept from being changed by others until the transaction ends. */
export async function lockAddressToDecide(
  tx: SystemTransaction,
  id: string,
  now: Date,
): Promise<AddressToDecide | null> {
  const rows = await tx.query<AddressToDecide>(
    `SELECT ${COLUMNS} ${FROM} WHERE a.id = :id FOR UPDATE OF a`,
    { id, now },
  );
  return rows[0] ?? null;
}

/**
 * Decides about a locked address that waits. APPROVED of a live key takes an approval of two operators
 * that the transaction uses: the database refuses it otherwise.
 */
export async function decideKeyAddress(
  tx: SystemTransaction,
  id: string,
  decision: {
    readonly status: 'APPROVED' | 'REJECTED';
    readonly decidedBy: string;
    readonly reason: string | null;
    readonly at: Date;
  },
): Promise<void> {
  await tx.query(
    `UPDATE api_key_addresses SET status = :status, decided_by = :decidedBy, decided_at = :at,
       decision_reason = :reason, version = version + 1
     WHERE id = :id`,
    { id, ...decision },
  );
}
