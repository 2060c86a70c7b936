import type { Scope } from '../../domain/scope.ts';
import type { ScopedTransaction } from '../client/database.ts';

/** What a customer was credited, and whether the bank took it back. */
export interface FundingCreditRow {
  readonly id: string;
  readonly version: number;
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
  /** Null where operators assigned it. */
  readonly reference: string | null;
  readonly bookedAt: Date | null;
  readonly creditedAt: Date;
  readonly ledgerTransactionId: string;
  readonly reversedAt: Date | null;
  readonly reversalTransactionId: string | null;
}

const COLUMNS = `id, version, currency, amount, reference, booked_at AS "bookedAt",
  credited_at AS "creditedAt", ledger_transaction_id AS "ledgerTransactionId",
  reversed_at AS "reversedAt", reversal_transaction_id AS "reversalTransactionId"`;

export type NewFundingCredit = Omit<
  FundingCreditRow,
  'version' | 'reversedAt' | 'reversalTransactionId'
>;

/**
 * Stores a credit whose ledger transaction was written before it. The database refuses a second row of
 * it, and one of another customer's.
 */
export async function insertFundingCredit(
  tx: ScopedTransaction,
  scope: Scope,
  credit: NewFundingCredit,
): Promise<FundingCreditRow> {
  const [row] = await tx.query<FundingCreditRow>(
    `INSERT INTO funding_credits (id, customer_id, environment, currency, amount, reference, booked_at,
       credited_at, ledger_transaction_id)
     VALUES (:id, :customerId, :environment, :currency, :amount, :reference, :bookedAt, :creditedAt,
       :ledgerTransactionId)
     RETURNING ${COLUMNS}`,
    { ...scope, ...credit },
  );
  if (row === undefined) throw new Error('a credit was not stored');
  return row;
}

/** Which of these credits are in the scope's books. */
export async function findFundingCredits(
  tx: ScopedTransaction,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FundingCreditRow>> {
  const rows = await tx.query<FundingCreditRow>(
    `SELECT ${COLUMNS} FROM funding_credits
     WHERE customer_id = $1 AND environment = $2 AND id = ANY ($3)`,
    [scope.customerId, scope.environment, [...ids]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Marks a credit as taken back; its ledger transaction was written before. The database refuses a second time. */
export async function markFundingCreditReversed(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  reversal: { readonly at: Date; readonly ledgerTransactionId: string },
): Promise<FundingCreditRow> {
  const [row] = await tx.query<FundingCreditRow>(
    `UPDATE funding_credits SET version = 2, reversed_at = :at,
       reversal_transaction_id = :ledgerTransactionId
     WHERE id = :id AND customer_id = :customerId AND environment = :environment
     RETURNING ${COLUMNS}`,
    { ...scope, ...reversal, id },
  );
  if (row === undefined) throw new Error(`there is no credit ${id} in its scope`);
  return row;
}

/** What was taken for a customer, or out of suspense; see `take_unmatched_credit`. */
interface TakenCredit {
  readonly currency: string;
  readonly minor: bigint;
  readonly connector: string;
  readonly bookedAt: Date | null;
}

/**
 * Decides what becomes of an unmatched credit, by the approval that the transaction uses. Null
 * where it was decided before, or cannot be: then the caller rolls back.
 */
export async function takeUnmatchedCredit(
  tx: ScopedTransaction,
  id: string,
  decision:
    | { readonly outcome: 'ASSIGNED' }
    | { readonly outcome: 'CLOSED'; readonly statementId: bigint; readonly line: number },
  at: Date,
): Promise<TakenCredit | null> {
  const closing = decision.outcome === 'CLOSED' ? decision : null;
  const rows = await tx.query<TakenCredit>(
    `SELECT currency, minor, connector, booked_at AS "bookedAt"
     FROM take_unmatched_credit($1, $2, $3, $4, $5)`,
    [id, decision.outcome, closing?.statementId ?? null, closing?.line ?? null, at],
  );
  return rows[0] ?? null;
}
