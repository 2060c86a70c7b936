import type { SystemTransaction } from '../client/database.ts';
import type { StatementOrigin } from '../reconciliation/statement-store.ts';

export interface CreditReversalRow {
  readonly creditId: string;
  readonly ledgerTransactionId: string;
  readonly bookedAt: Date | null;
}

interface NewCreditReversal extends CreditReversalRow, StatementOrigin {
  readonly bookingKey: Buffer;
  readonly occurrence: number;
  readonly statementId: bigint;
  readonly line: number;
  readonly receivedAt: Date;
}

type Booking = StatementOrigin & Pick<NewCreditReversal, 'bookingKey' | 'occurrence'>;

/** The reversal that a booking was found to be before; null where it is new. */
export async function findCreditReversal(
  tx: SystemTransaction,
  { environment, connector, bookingKey, occurrence }: Booking,
): Promise<CreditReversalRow | null> {
  const rows = await tx.query<CreditReversalRow>(
    `SELECT credit_id AS "creditId", ledger_transaction_id AS "ledgerTransactionId",
       booked_at AS "bookedAt"
     FROM credit_reversals WHERE environment = $1 AND connector = $2 AND booking_key = $3
       AND occurrence = $4`,
    [environment, connector, bookingKey, occurrence],
  );
  return rows[0] ?? null;
}

/** A reversal without a reference of the bank, on a statement. */
interface WeakReversal extends StatementOrigin {
  readonly statementId: bigint;
  readonly currency: string;
  /** Minor units. */
  readonly minor: bigint;
  readonly bookedAt: Date | null;
}

/**
 * The oldest reversal of such an amount within 36 hours on another statement that may show the same one: statements of
 * whole periods that do not overlap show two. Null where there is none.
 */
export async function findReversalAlike(
  tx: SystemTransaction,
  wanted: WeakReversal,
): Promise<CreditReversalRow | null> {
  const rows = await tx.query<CreditReversalRow>(
    `SELECT r.credit_id AS "creditId", r.ledger_transaction_id AS "ledgerTransactionId",
       r.booked_at AS "bookedAt"
     FROM incoming_credits c JOIN credit_reversals r ON r.credit_id = c.id
       JOIN statements shown ON shown.id = r.statement_id
       JOIN statements s ON s.id = :statementId
     WHERE c.environment = :environment AND c.connector = :connector AND c.currency = :currency
       AND c.minor = :minor AND r.statement_id <> :statementId
       AND (r.booked_at BETWEEN :bookedAt::timestamptz - interval '36 hours'
         AND :bookedAt::timestamptz + interval '36 hours') IS NOT FALSE
       AND (s.report <> 'DAY' OR shown.report <> 'DAY'
         OR ((s.from_at, s.to_at) OVERLAPS (shown.from_at, shown.to_at)) IS NOT FALSE)
     ORDER BY r.statement_id, r.line LIMIT 1`,
    { ...wanted },
  );
  return rows[0] ?? null;
}

/**
 * Does a line give a credit again that an earlier line took back? Not where its statement, which overlaps
 * with others, shows the reversal behind it once more.
 */
export async function isGivenAgain(
  tx: SystemTransaction,
  creditId: string,
  { statementId, line }: Pick<NewCreditReversal, 'statementId' | 'line'>,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM credit_reversals r
     WHERE r.credit_id = :creditId AND (r.statement_id, r.line) < (:statementId, :line)
       AND NOT EXISTS (SELECT FROM statement_lines l WHERE l.statement_id = :statementId
         AND l.booking_key = r.booking_key AND l.line > :line)`,
    { creditId, statementId, line },
  );
  return rows.length > 0;
}

/** Stores which locked credit a booking reverses. */
export async function insertCreditReversal(
  tx: SystemTransaction,
  reversal: NewCreditReversal,
): Promise<void> {
  await tx.query(
    `INSERT INTO credit_reversals (credit_id, environment, connector, booking_key, occurrence,
       statement_id, line, booked_at, received_at, ledger_transaction_id)
     VALUES (:creditId, :environment, :connector, :bookingKey, :occurrence, :statementId, :line,
       :bookedAt, :receivedAt, :ledgerTransactionId)`,
    { ...reversal },
  );
}

/** A line that takes a credit back, and the credit. */
interface TakingBack extends StatementOrigin {
  readonly currency: string;
  /** Major units, as the bank wrote it. */
  readonly amount: string;
  readonly bankReference: string | null;
  readonly bookedAt: Date | null;
  /** Whose the credit is; null while it is in suspense. */
  readonly customerId: string | null;
  /** When the bank booked the credit. */
  readonly creditedAt: Date | null;
}

/**
 * Whether an act that stands has booked the money that the line takes back: of a debit with the same reference of the
 * bank, or one by which the owner of the credit was charged for a debit of this amount that left after the credit came.
 */
export async function isTakenBackByAct(
  tx: SystemTransaction,
  wanted: TakingBack,
): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM exception_acts a
     JOIN statement_lines o ON o.statement_id = split_part(a.exception_id, '/', 1)::bigint
       AND o.line = split_part(a.exception_id, '/', 2)::int
     JOIN statements s ON s.id = o.statement_id AND s.connector = :connector
     WHERE a.environment = :environment AND a.act IN ('WRITE_OFF', 'RECOVER', 'TIE_TRADE')
       AND a.exception_id ~ '^[0-9]+/[0-9]+$' AND (a.content ->> 'amount')::numeric = :amount::numeric
       AND NOT EXISTS (SELECT FROM exception_acts r WHERE r.reverses = a.id)
       AND o.direction = 'DBIT' AND o.payment_id IS NULL AND o.currency = :currency
       AND (o.bank_reference = :bankReference AND (o.booked_at BETWEEN
           :bookedAt::timestamptz - interval '36 hours' AND :bookedAt::timestamptz + interval '36 hours')
           IS NOT FALSE
         OR a.act = 'RECOVER' AND a.customer_id = :customerId
           AND (o.booked_at >= :creditedAt::timestamptz - interval '36 hours') IS NOT FALSE)
     LIMIT 1`,
    { ...wanted },
  );
  return rows.length > 0;
}
