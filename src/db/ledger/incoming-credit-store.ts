import type { UnmatchedReason } from '../../domain/ledger/funding/judge-credit.ts';
import type { Environment } from '../../domain/scope.ts';
import type { SystemTransaction } from '../client/database.ts';
import type { StatementOrigin } from '../reconciliation/statement-store.ts';

export interface IncomingCreditRow {
  readonly id: string;
  readonly environment: Environment;
  readonly connector: string;
  readonly statementId: bigint;
  readonly line: number;
  readonly bankReference: string | null;
  readonly currency: string;
  /** Major units, as the bank wrote it. */
  readonly amount: string;
  /** Minor units; null where it is no amount of ours. */
  readonly minor: bigint | null;
  readonly reference: string | null;
  readonly bookedAt: Date | null;
  readonly receivedAt: Date;
  /** Null where a customer was credited. */
  readonly unmatchedReason: UnmatchedReason | null;
  readonly customerId: string | null;
  /** Null while it is unmatched and waits for operators. */
  readonly outcome:
    'CREDITED' | 'ASSIGNED' | 'CLOSED' | 'REVERSED' | 'TIED' | 'RETURNED' | 'WRITTEN_OFF' | null;
  readonly ledgerTransactionId: string;
  /** The credit that it may be the same as, where it waits because of that. */
  readonly resemblesCreditId: string | null;
}

interface NewIncomingCredit extends Omit<IncomingCreditRow, 'outcome'> {
  readonly bookingKey: Buffer;
  readonly occurrence: number;
  /** Bits: see booking-store.ts. */
  readonly referenceKinds: number;
}

const COLUMNS = `id, environment, connector, statement_id AS "statementId", line,
  bank_reference AS "bankReference", currency, amount::text AS amount, minor, reference,
  booked_at AS "bookedAt", received_at AS "receivedAt", unmatched_reason AS "unmatchedReason",
  customer_id AS "customerId", outcome, ledger_transaction_id AS "ledgerTransactionId",
  resembles_credit_id AS "resemblesCreditId"`;

/**
 * Stores whose an arrived credit is. Null, and nothing is stored, where its key is another credit's. System role only,
 * as all of this file.
 */
export async function insertIncomingCredit(
  tx: SystemTransaction,
  credit: NewIncomingCredit,
): Promise<IncomingCreditRow | null> {
  const added = await tx.query<IncomingCreditRow>(
    `INSERT INTO incoming_credits (id, environment, connector, booking_key, occurrence, statement_id,
       line, bank_reference, currency, amount, minor, reference, booked_at, received_at,
       unmatched_reason, customer_id, outcome, decided_at, ledger_transaction_id, reference_kinds,
       resembles_credit_id)
     SELECT :id, :environment, :connector, :bookingKey, :occurrence::int, :statementId, :line::int,
       :bankReference, :currency, :amount::numeric, :minor::bigint, :reference,
       :bookedAt::timestamptz, :receivedAt::timestamptz, :unmatchedReason, :customerId::text, c.outcome,
       CASE WHEN c.outcome IS NOT NULL THEN :receivedAt::timestamptz END, :ledgerTransactionId,
       :referenceKinds::smallint, :resemblesCreditId::text
     FROM (SELECT CASE WHEN :customerId::text IS NOT NULL THEN 'CREDITED' END AS outcome) AS c
     ON CONFLICT (environment, connector, booking_key, occurrence) DO NOTHING
     RETURNING ${COLUMNS}`,
    { ...credit },
  );
  return added[0] ?? null;
}

/** Credits by their ids. */
export async function readIncomingCredits(
  tx: SystemTransaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, IncomingCreditRow>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.query<IncomingCreditRow>(
    `SELECT ${COLUMNS} FROM incoming_credits WHERE id = ANY ($1)`,
    [[...ids]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** A credit and the bank's id of the statement that showed it first. */
export async function findIncomingCredit(
  tx: SystemTransaction,
  id: string,
): Promise<(IncomingCreditRow & { readonly bankStatementId: string }) | null> {
  const rows = await tx.query<IncomingCreditRow & { readonly bankStatementId: string }>(
    `SELECT ${COLUMNS}, (SELECT s.bank_statement_id FROM statements s WHERE s.id = c.statement_id)
       AS "bankStatementId"
     FROM incoming_credits c WHERE id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** Whether the bank marks a credit as a return, on any report that shows it. */
export async function isMarkedReturn(tx: SystemTransaction, id: string): Promise<boolean> {
  const [row] = await tx.query<{ isMarked: boolean }>('SELECT is_marked_return($1) AS "isMarked"', [
    id,
  ]);
  return row?.isMarked ?? false;
}

/** Unmatched credits, oldest first; of one environment, or of both where it is null. */
export async function listUnmatchedCredits(
  tx: SystemTransaction,
  environment: Environment | null,
  limit: number,
): Promise<IncomingCreditRow[]> {
  return tx.query<IncomingCreditRow>(
    `SELECT ${COLUMNS} FROM incoming_credits
     WHERE outcome IS NULL AND ($1::text IS NULL OR environment = $1) ORDER BY seq LIMIT $2`,
    [environment, limit],
  );
}

/** What a reversal on a statement may undo. */
interface ReversalWanted extends StatementOrigin {
  readonly currency: string;
  readonly minor: bigint;
  readonly bankReference: string | null;
  readonly references: readonly string[];
}

/** What a credit must be for a reversal to undo it. */
const FITS = `environment = :environment AND connector = :connector AND currency = :currency
  AND minor = :minor AND (bank_reference = :bankReference OR reference = ANY (:references))
  AND (reference IS NULL OR reference = ANY (:references) OR :references = '{}')`;

/**
 * The credit that a reversal undoes, kept from others: of the same amount, under the same reference of the bank, or else
 * with a creditor reference that the reversal bears; the newest. None that was reversed or closed, none credited by a
 * reference that a reversal with references does not bear, and none at all where those that fit best are of several owners,
 * or one that fits may be the same booking as another, or is tied to a cover trade or the return of a payment, or all with
 * the bank's reference are closed: operators look first.
 */
export async function lockCreditToReverse(
  tx: SystemTransaction,
  wanted: ReversalWanted,
): Promise<IncomingCreditRow | null> {
  const values = { ...wanted, references: [...wanted.references] };
  // Operators may be deciding one at this moment. A statement of its own: the look behind it needs a
  // snapshot that was taken under the locks. What was decided stays so, and needs no lock.
  await tx.query(
    `SELECT FROM incoming_credits WHERE ${FITS} AND outcome IS NULL ORDER BY id FOR UPDATE`,
    values,
  );
  const rows = await tx.query<IncomingCreditRow>(
    `WITH fitting AS (
       SELECT id, seq, customer_id,
         outcome IS NULL AND resembles_credit_id IS NOT NULL
           OR (outcome IN ('TIED', 'RETURNED', 'WRITTEN_OFF')) IS TRUE AS "isUnclear",
         outcome IS NOT DISTINCT FROM 'CLOSED' AS "isClosed",
         rank() OVER (ORDER BY
         (bank_reference = :bankReference) IS TRUE DESC, (reference = ANY (:references)) IS TRUE DESC)
       FROM incoming_credits c
       WHERE ${FITS} AND (outcome = 'CLOSED' AND (bank_reference IS DISTINCT FROM :bankReference
           OR (closing_statement_id, closing_line) = (statement_id, line))) IS NOT TRUE
         AND NOT EXISTS (SELECT FROM credit_reversals r WHERE r.credit_id = c.id)
     ), best AS (
       SELECT id, seq, coalesce(customer_id, '') AS owner FROM fitting
       WHERE rank = 1 AND NOT "isClosed" AND NOT EXISTS (SELECT FROM fitting f WHERE f."isUnclear"))
     SELECT ${COLUMNS} FROM incoming_credits
     WHERE id = (SELECT id FROM best ORDER BY seq DESC LIMIT 1)
       AND (SELECT count(DISTINCT owner) FROM best) = 1`,
    values,
  );
  return rows[0] ?? null;
}

/** Ends a locked credit that was unmatched because the bank took it back. */
export async function markCreditReversed(
  tx: SystemTransaction,
  id: string,
  at: Date,
): Promise<void> {
  await tx.query(
    `UPDATE incoming_credits SET outcome = 'REVERSED', decided_at = $2
     WHERE id = $1 AND outcome IS NULL`,
    [id, at],
  );
}
